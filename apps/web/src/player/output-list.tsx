import { Stack, Text, Title } from '@mantine/core'
import type { GraphContent, PortReference } from '@meadow/contract'
import { labelOfPort } from '../document/player-ports.ts'
import type { PortPage } from '../document/preview/preview-messages.ts'
import { formatValue } from '../document/values/format-value.ts'
import styles from './player.module.css'

interface OutputListProps {
  nodes: GraphContent['nodes']
  outputs: readonly PortReference[]
  /** Of each output; undefined while or where it is not known. */
  pages: readonly (PortPage | undefined)[]
  /** False: they are of other values than the inputs have. */
  isCurrent: boolean
}

/** The values of the pinned outputs. */
export function OutputList({ nodes, outputs, pages, isCurrent }: OutputListProps) {
  if (outputs.length === 0) return null
  return (
    <section aria-labelledby="results" className={styles.results} data-stale={!isCurrent || undefined}>
      <Title order={2} size="xs" className={styles.heading} id="results">
        Results
      </Title>
      <dl className={styles.outputs}>
        {outputs.map((port, index) => (
          <div key={`${port.nodeInstanceId} ${port.portInstanceId}`} className={styles.output}>
            <dt>{labelOfPort(nodes[port.nodeInstanceId]!, port.portInstanceId, outputs)}</dt>
            <dd>
              <OutputValue page={pages[index]} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function OutputValue({ page }: { page: PortPage | undefined }) {
  if (!page) return <Text c="dimmed">–</Text>
  const values = page.tree.branches.flatMap(({ values }) => values)
  if (page.values === 0) return <Text c="dimmed">No value</Text>
  if (page.values === 1) return <>{values[0] ? formatValue(values[0]) : 'No value'}</>
  return (
    <Stack gap={2} align="end">
      <Text size="xs" c="dimmed">
        {page.values.toLocaleString('en')} values
        {page.branches > 1 && ` in ${page.branches.toLocaleString('en')} lists`}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, with the keyboard too. */}
      <section className={styles.list} tabIndex={0} aria-label="The first values">
        {values.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values are identified by their place.
          <div key={index}>{formatValue(value)}</div>
        ))}
        {page.values > values.length && <div>…</div>}
      </section>
    </Stack>
  )
}
