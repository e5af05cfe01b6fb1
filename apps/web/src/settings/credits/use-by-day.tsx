import { Button, ColorSwatch, Group, Stack, Table, Text } from '@mantine/core'
import type { DocumentCreditUse, TeamCreditUse } from '@meadow/contract/web'
import { schemeObservable10 } from 'd3-scale-chromatic'
import { useState } from 'react'
import { formatCredits } from '../../solve-state/format-credits.ts'
import styles from './use-by-day.module.css'

/** The colours of the documents that are shown separately, and of all others. */
const COLOURS = schemeObservable10.slice(0, 9)
const OTHERS = '#9498a0'

export const nameDocument = ({ documentName }: DocumentCreditUse): string =>
  documentName || 'A document that was deleted permanently'

/** The credits of each day as stacked bars, or as a table. */
export function UseByDay({ use }: { use: TeamCreditUse }) {
  const [isTable, setTable] = useState(false)
  const parts = listParts(use)
  return (
    <Stack gap={6}>
      {isTable ? <DayTable use={use} /> : <Chart use={use} parts={parts} />}
      <Group gap="md" justify="space-between" align="start" wrap="nowrap">
        <Group gap="2px 10px">
          {!isTable &&
            parts.map(({ name, colour }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: several deleted documents have one name.
              <Group key={index} gap={4} wrap="nowrap">
                <ColorSwatch component="span" size={10} color={colour} withShadow={false} />
                <Text size="xs">{name}</Text>
              </Group>
            ))}
        </Group>
        <Button size="compact-xs" variant="subtle" flex="none" onClick={() => setTable(!isTable)}>
          {isTable ? 'Show as a chart' : 'Show as a table'}
        </Button>
      </Group>
    </Stack>
  )
}

interface Part {
  name: string
  colour: string
  /** The credits of each day, in tenths. */
  tenths: number[]
}

/** What a bar consists of, from below: the documents that spent most, and the others. */
function listParts({ days, documents }: TeamCreditUse): Part[] {
  const told = days[0]!.byDocument.length
  const parts = documents.slice(0, told).map((document, position) => ({
    name: nameDocument(document),
    colour: COLOURS[position]!,
    tenths: days.map(({ byDocument }) => byDocument[position]!),
  }))
  const rest = days.map(({ tenths, byDocument }) => byDocument.reduce((left, one) => left - one, tenths))
  return rest.some((tenths) => tenths > 0)
    ? [...parts, { name: 'Other documents', colour: OTHERS, tenths: rest }]
    : parts
}

/** The measures of the picture that a bar is drawn in. It is stretched to the width of the page. */
const HEIGHT = 100
const STEP = 10
const BAR = 8

function Chart({ use: { days, tenths }, parts }: { use: TeamCreditUse; parts: readonly Part[] }) {
  const top = roundUp(Math.max(...days.map((day) => day.tenths), 1))
  const most = days.reduce((found, day) => (day.tenths > found.tenths ? day : found))
  return (
    <div className={styles.chart}>
      <span className={styles.top}>{formatCredits(top)}</span>
      <svg
        role="img"
        aria-label={`Credits by day, from ${days[0]!.day} to ${days.at(-1)!.day}: ${formatCredits(tenths)} in all, most on ${most.day}: ${formatCredits(most.tenths)}. The same is there as a table.`}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {[0, HEIGHT / 2, HEIGHT].map((y) => (
          <line key={y} className={styles.line} x1={0} x2={days.length * STEP} y1={y} y2={y} />
        ))}
        {days.map((day, number) => {
          let below = 0
          return (
            <g key={day.day} className={styles.day}>
              <title>{describeDay(day, number, parts)}</title>
              <rect className={styles.space} x={number * STEP} y={0} width={STEP} height={HEIGHT} />
              {parts.map(({ colour, tenths }, part) => {
                const height = (tenths[number]! / top) * HEIGHT
                below += height
                return (
                  height > 0 && (
                    <rect
                      // biome-ignore lint/suspicious/noArrayIndexKey: the order of parts is their identity.
                      key={part}
                      fill={colour}
                      x={number * STEP + (STEP - BAR) / 2}
                      width={BAR}
                      y={HEIGHT - below}
                      height={height}
                    />
                  )
                )
              })}
            </g>
          )
        })}
      </svg>
      <div className={styles.days}>
        {[days[0]!, days[days.length >> 1]!, days.at(-1)!].map(({ day }) => (
          <span key={day}>{formatDay(day)}</span>
        ))}
      </div>
    </div>
  )
}

const SHORT = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const formatDay = (day: string) => SHORT.format(Date.parse(day))

function describeDay(
  { day, tenths, solves }: TeamCreditUse['days'][number],
  number: number,
  parts: readonly Part[],
) {
  const lines = parts
    .filter((part) => part.tenths[number]! > 0)
    .map((part) => `${part.name}: ${formatCredits(part.tenths[number]!)}`)
  return [
    `${formatDay(day)}: ${formatCredits(tenths)} credits, ${solves.toLocaleString()} solves`,
    ...lines,
  ].join('\n')
}

/** The next number that starts with 1, 2 or 5 and has zeros behind it. */
function roundUp(number: number): number {
  const power = 10 ** Math.floor(Math.log10(number))
  return [1, 2, 5, 10].map((digit) => digit * power).find((round) => round >= number)!
}

/** A table that has nothing to focus is scrolled with the arrow keys. */
const BY_KEYBOARD = { viewportProps: { tabIndex: 0 } }

function DayTable({ use: { days } }: { use: TeamCreditUse }) {
  return (
    <Table.ScrollContainer minWidth={400} mah={320} scrollAreaProps={BY_KEYBOARD}>
      <Table aria-label="Credits by day" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day</Table.Th>
            <Table.Th ta="right">Solves</Table.Th>
            <Table.Th ta="right">Asked for</Table.Th>
            <Table.Th ta="right">Automatic</Table.Th>
            <Table.Th ta="right">Credits</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ day, solves, tenths, asked, automatic }) => (
            <Table.Tr key={day}>
              <Table.Td>{day}</Table.Td>
              <Table.Td ta="right">{solves.toLocaleString()}</Table.Td>
              <Table.Td ta="right">{formatCredits(asked)}</Table.Td>
              <Table.Td ta="right">{formatCredits(automatic)}</Table.Td>
              <Table.Td ta="right">{formatCredits(tenths)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
