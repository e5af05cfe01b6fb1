import { Button, Stack, Text, Title } from '@mantine/core'
import type { GraphContent, PortReference } from '@meadow/contract'
import { useState } from 'react'
import { labelOfPort } from '../document/graph/editing/player-ports.ts'
import type { PortPage } from '../document/preview/preview-messages.ts'
import { formatValue } from '../document/values/format-value.ts'
import { formatResult, splitLabel } from './format-result.ts'
import styles from './player.module.css'

interface OutputListProps {
  nodes: GraphContent['nodes']
  outputs: readonly PortReference[]
  /** The values of each output; undefined while or where they are not known. */
  pages: readonly (PortPage | undefined)[]
  /** Whether the outputs are those of the present values of the inputs. */
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
        {outputs.map((port, index) => {
          const label = labelOfPort(nodes[port.nodeInstanceId]!, port.portInstanceId, outputs)
          const { name, unit } = splitLabel(label)
          const page = pages[index]
          // As long as no number is shown, the label keeps its unit.
          const isNumber = page?.values === 1
          return (
            <div
              key={`${port.nodeInstanceId} ${port.portInstanceId}`}
              className={styles.output}
              data-long={isLong(page) || undefined}
            >
              <dt>{isNumber ? name : label}</dt>
              <dd>
                <OutputValue page={page} unit={isNumber ? unit : undefined} />
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}

/**
 * The greatest length of a text beside its label, and the greatest length and number of lines of a text that is not
 * folded.
 */
const MAX_LINE = 60
const MAX_FOLDED = 240
const MAX_FOLDED_LINES = 4

/** The one text of a page; undefined for other values. */
function readText(page: PortPage | undefined): string | undefined {
  const value = page?.values === 1 ? page.tree.branches.flatMap(({ values }) => values)[0] : undefined
  return value?.type === 'string' ? value.value : undefined
}

function isLong(page: PortPage | undefined): boolean {
  const text = readText(page)
  return text !== undefined && (text.length > MAX_LINE || text.includes('\n'))
}

function OutputValue({ page, unit }: { page: PortPage | undefined; unit: string | undefined }) {
  if (!page) return <Text c="dimmed">–</Text>
  const values = page.tree.branches.flatMap(({ values }) => values)
  if (page.values === 0) return <Text c="dimmed">No value</Text>
  if (page.values === 1) {
    const [value] = values
    if (!value) return <>No value</>
    const text = formatResult(value, unit)
    return isLong(page) ? <LongText text={text} /> : <span title={formatValue(value)}>{text}</span>
  }
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
          <div key={index}>{formatResult(value, undefined)}</div>
        ))}
        {page.values > values.length && <div>…</div>}
      </section>
    </Stack>
  )
}

/** The beginning of a text, and the rest when it is asked for. */
function LongText({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const start = text.split('\n', MAX_FOLDED_LINES).join('\n').slice(0, MAX_FOLDED)
  const isFolded = start.length < text.length
  return (
    <>
      {isOpen || !isFolded ? text : `${start.trimEnd()} …`}
      {isFolded && (
        <Button
          size="compact-xs"
          variant="subtle"
          mt={4}
          display="block"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show everything'}
        </Button>
      )}
    </>
  )
}
