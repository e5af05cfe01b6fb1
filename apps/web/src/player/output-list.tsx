import { Button, Stack, Text, Title } from '@mantine/core'
import type { PlayerResult } from '@meadow/contract/web'
import { useState } from 'react'
import { formatValue } from '../document/values/format-value.ts'
import { formatResult, splitLabel } from './format-result.ts'
import styles from './player.module.css'

interface OutputListProps {
  /** The values are null while or where they are not known. */
  results: readonly PlayerResult[]
  /** Whether the results are those of the present values of the inputs. */
  isCurrent: boolean
}

/** The values of the pinned outputs. */
export function OutputList({ results, isCurrent }: OutputListProps) {
  if (results.length === 0) return null
  return (
    <section aria-labelledby="results" className={styles.results} data-stale={!isCurrent || undefined}>
      <Title order={2} size="xs" className={styles.heading} id="results">
        Results
      </Title>
      <dl className={styles.outputs}>
        {results.map(({ label, values }, index) => {
          const { name, unit } = splitLabel(label)
          // As long as no number is shown, the label keeps its unit.
          const isNumber = values?.count === 1
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: results are identified by their place.
            <div key={index} className={styles.output} data-long={isLong(values) || undefined}>
              <dt>{isNumber ? name : label}</dt>
              <dd>
                <OutputValue values={values} unit={isNumber ? unit : undefined} />
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

type Values = PlayerResult['values']

/** The one text of a result; undefined for other values. */
function readText(values: Values): string | undefined {
  const value = values?.count === 1 ? values.first[0] : undefined
  return value?.type === 'string' ? value.value : undefined
}

function isLong(values: Values): boolean {
  const text = readText(values)
  return text !== undefined && (text.length > MAX_LINE || text.includes('\n'))
}

function OutputValue({ values, unit }: { values: Values; unit: string | undefined }) {
  if (!values) return <Text c="dimmed">–</Text>
  const { branches, count, first } = values
  if (count === 0) return <Text c="dimmed">No value</Text>
  if (count === 1) {
    const [value] = first
    if (!value) return <>No value</>
    const text = formatResult(value, unit)
    return isLong(values) ? <LongText text={text} /> : <span title={formatValue(value)}>{text}</span>
  }
  return (
    <Stack gap={2} align="end">
      <Text size="xs" c="dimmed">
        {count.toLocaleString('en')} values
        {branches > 1 && ` in ${branches.toLocaleString('en')} lists`}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, with the keyboard too. */}
      <section className={styles.list} tabIndex={0} aria-label="The first values">
        {first.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values are identified by their place.
          <div key={index}>{formatResult(value, undefined)}</div>
        ))}
        {count > first.length && <div>…</div>}
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
