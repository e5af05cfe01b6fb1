import {
  Anchor,
  Badge,
  Button,
  Group,
  Loader,
  SegmentedControl,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core'
import {
  type DocumentCreditUse,
  type Membership,
  readCreditUse,
  type TeamCreditUse,
} from '@meadow/contract/web'
import { toCredits } from '@meadow/contract/web/terms'
import { type CsvColumn, writeCsv } from '@meadow/tables'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { ApiError, call } from '../../api/call.ts'
import { CSV, download } from '../../shell/download.ts'
import { Failure } from '../../shell/failure.tsx'
import { useRemembered } from '../../shell/first-render.ts'
import { formatCredits } from '../../solve-state/format-credits.ts'
import { type Forecast, forecastCredits } from './forecast.ts'
import { nameDocument, UseByDay } from './use-by-day.tsx'

const PERIODS = ['7', '30', '90']
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** What spent the credits of the last days: by day, by document, and how long the rest will last. */
export function CreditUse({ team }: { team: Membership }) {
  const [period, setPeriod] = useRemembered('meadow.creditDays', '30')
  const [isUtc, setUtc] = useState(false)
  const days = PERIODS.includes(period) ? period : '30'
  const query = useCreditUse(team.id, Number(days), isUtc ? 'UTC' : OWN_ZONE)
  const use = query.data
  if (query.isLoadingError) return <Failure error={query.error} retry={query.refetch} />
  if (!use) return <Loader aria-label="Loading what spent credits" />
  return (
    <Stack component="section" aria-labelledby="credit-use" gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4" id="credit-use">
          What spent them
        </Title>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="For how many days"
            data={PERIODS.map((value) => ({ value, label: `${value} days` }))}
            value={days}
            onChange={setPeriod}
          />
          {OWN_ZONE !== 'UTC' && (
            <SegmentedControl
              size="xs"
              aria-label="Whose days"
              data={[
                { value: 'own', label: 'My days' },
                { value: 'utc', label: 'UTC' },
              ]}
              value={isUtc ? 'utc' : 'own'}
              onChange={(value) => setUtc(value === 'utc')}
            />
          )}
        </Group>
      </Group>
      <Text size="sm">{describeForecast(forecastCredits(use.left, use.before), use)}</Text>
      {use.solves === 0 ? (
        <Text c="dimmed" size="sm">
          Nothing was spent in these {days} days.
        </Text>
      ) : (
        <>
          <UseByDay use={use} />
          <Text size="sm">{describeCauses(use)}</Text>
          <DocumentTable use={use} />
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => downloadDocuments(use)}>
              Documents as CSV
            </Button>
            <Button size="xs" variant="default" onClick={() => downloadDays(use)}>
              Days as CSV
            </Button>
          </Group>
        </>
      )}
      <Text c="dimmed" size="xs">
        Days are those of {use.zone === 'UTC' ? 'UTC' : `your time zone, ${use.zone}`}. Today is not over yet.
      </Text>
    </Stack>
  )
}

/**
 * Reads the use of credits, in UTC if the server does not know the zone of this browser. The answer says which zone it
 * is.
 */
function useCreditUse(teamId: string, days: number, zone: string) {
  return useQuery({
    queryKey: [readCreditUse.path, teamId, days, zone],
    queryFn: async ({ signal }) => {
      const read = (zone: string) => call(readCreditUse, { params: [teamId], query: { days, zone }, signal })
      try {
        return await read(zone)
      } catch (error) {
        if (error instanceof ApiError && error.status === 400 && zone !== 'UTC') return read('UTC')
        throw error
      }
    },
    placeholderData: keepPreviousData,
  })
}

function describeCauses({ tenths, asked, automatic }: Sums): string {
  const sums = `${formatCredits(asked)} went to solves that somebody asked for, ${formatCredits(automatic)} to automatic ones`
  const others = tenths - asked - automatic
  return others === 0
    ? `Of these credits, ${sums}.`
    : `Of these credits, ${sums}, and ${formatCredits(others)} to solves from before the two were told apart.`
}

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' })
const DAY_MS = 86_400_000

function describeForecast(forecast: Forecast, { days, left }: TeamCreditUse): string {
  const today = Date.parse(days.at(-1)!.day)
  const dateIn = (count: number) => (count === 0 ? 'today' : DATE.format(today + count * DAY_MS))
  switch (forecast.kind) {
    case 'none':
      return 'There are no credits left: nothing is solved until the operator adds some.'
    case 'unknown':
      return forecast.daysNeeded > 0
        ? `There is not enough data to say how long the credits last: that takes ${forecast.daysNeeded} more whole days.`
        : 'There is not enough data to say how long the credits last: too few days had solves.'
    case 'idle':
      return `No credits were spent in the ${forecast.days} days before today, so nothing can be said about how long they last.`
    case 'days': {
      const { early, middle, late, perDay, byWeekday } = forecast
      const rate = `At the rate of the last ${forecast.days} days (${formatRate(perDay)} a day${byWeekday ? ', each weekday like those before' : ''}), the ${formatCredits(left)} credits`
      if (early === undefined) return `${rate} last for more than two years.`
      const range = `between ${dateIn(early)} and ${late === undefined ? 'two years from now or later' : dateIn(late)}`
      if (early === late) return `${rate} are used up ${early === 0 ? 'today' : `on ${dateIn(early)}`}.`
      const likely = middle === undefined ? '' : ` around ${dateIn(middle)};`
      return `${rate} are used up${likely} in eight of ten cases ${range}, if the team goes on like this.`
    }
  }
}

/** Formats a number of credits a day that is given in tenths. */
const formatRate = (perDay: number) =>
  toCredits(perDay).toLocaleString(undefined, { maximumSignificantDigits: perDay < 1000 ? 2 : 3 })

const formatShare = (part: number, whole: number) =>
  (part / whole).toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 1 })

/** The number of documents that are listed at first; more are listed on demand. */
const FEW = 10

function DocumentTable({ use }: { use: TeamCreditUse }) {
  const { documents, documentCount, tenths: all } = use
  const [isUnfolded, setIsUnfolded] = useState(false)
  const showsAll = isUnfolded || documents.length <= FEW
  const rest = documents.reduce<Sums>(
    (left, document) => ({
      tenths: left.tenths - document.tenths,
      asked: left.asked - document.asked,
      automatic: left.automatic - document.automatic,
      solves: left.solves - document.solves,
    }),
    use,
  )
  return (
    <Table.ScrollContainer minWidth={280}>
      <Table aria-label="Credits by document">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Document</Table.Th>
            <Table.Th ta="right">Solves</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              Asked for
            </Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              Automatic
            </Table.Th>
            <Table.Th ta="right">Credits</Table.Th>
            <Table.Th ta="right">Share</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {documents.slice(0, showsAll ? undefined : FEW).map((document) => (
            <Table.Tr key={document.documentId}>
              <Table.Td>
                <DocumentName document={document} />
              </Table.Td>
              <Numbers sums={document} all={all} />
            </Table.Tr>
          ))}
          {!showsAll && (
            <Table.Tr>
              <Table.Td colSpan={6}>
                <Button size="compact-sm" variant="subtle" onClick={() => setIsUnfolded(true)}>
                  Show {(documents.length - FEW).toLocaleString()} more documents
                </Button>
              </Table.Td>
            </Table.Tr>
          )}
          {showsAll && documentCount > documents.length && (
            <Table.Tr>
              <Table.Td>{(documentCount - documents.length).toLocaleString()} more documents</Table.Td>
              <Numbers sums={rest} all={all} />
            </Table.Tr>
          )}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">All</Table.Th>
            <Numbers sums={use} all={all} />
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  )
}

/** The credits in tenths. */
type Sums = Pick<TeamCreditUse, 'tenths' | 'asked' | 'automatic' | 'solves'>

/** Hides columns on a phone, which has no room for what was asked for and what was automatic. */
const ON_WIDE = { visibleFrom: 'sm' }

function Numbers({ sums: { tenths, asked, automatic, solves }, all }: { sums: Sums; all: number }) {
  const columns: [text: string, place?: { visibleFrom: string }][] = [
    [solves.toLocaleString()],
    [formatCredits(asked), ON_WIDE],
    [formatCredits(automatic), ON_WIDE],
    [formatCredits(tenths)],
    [formatShare(tenths, all)],
  ]
  return columns.map(([text, place], column) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed.
    <Table.Td key={column} ta="right" style={{ fontVariantNumeric: 'tabular-nums' }} {...place}>
      {text}
    </Table.Td>
  ))
}

function DocumentName({ document }: { document: DocumentCreditUse }) {
  const { isThere, documentId, documentName } = document
  if (isThere)
    return (
      <Anchor component={Link} to={`/documents/${documentId}`} inherit>
        {documentName}
      </Anchor>
    )
  if (!documentName)
    return (
      <Text component="span" inherit c="dimmed">
        {nameDocument(document)}
      </Text>
    )
  return (
    <>
      {documentName}{' '}
      <Badge size="xs" variant="light" color="gray" tt="none">
        in the bin
      </Badge>
    </>
  )
}

const SUM_COLUMNS: CsvColumn[] = [
  { name: 'solves', type: 'integer' },
  { name: 'asked_credits', type: 'number' },
  { name: 'automatic_credits', type: 'number' },
  { name: 'credits', type: 'number' },
]

const listSums = ({ solves, asked, automatic, tenths }: Sums) => [
  solves,
  toCredits(asked),
  toCredits(automatic),
  toCredits(tenths),
]

const DOCUMENT_COLUMNS: CsvColumn[] = [
  { name: 'document_id', type: 'text' },
  { name: 'document', type: 'text' },
  { name: 'state', type: 'text' },
  ...SUM_COLUMNS,
]

function downloadDocuments(use: TeamCreditUse): void {
  const rows = use.documents.map((document) => [
    document.documentId,
    document.documentName || null,
    document.isThere ? 'there' : document.documentName ? 'in the bin' : 'deleted permanently',
    ...listSums(document),
  ])
  save('documents', use, writeCsv(DOCUMENT_COLUMNS, rows))
}

const DAY_COLUMNS: CsvColumn[] = [
  { name: 'day', type: 'text' },
  { name: 'time_zone', type: 'text' },
  ...SUM_COLUMNS,
]

function downloadDays(use: TeamCreditUse): void {
  const rows = use.days.map((day) => [day.day, use.zone, ...listSums(day)])
  save('days', use, writeCsv(DAY_COLUMNS, rows))
}

const save = (what: string, { days }: TeamCreditUse, pieces: Iterable<string>) =>
  download(`credits-by-${what}-${days[0]!.day}-to-${days.at(-1)!.day}.csv`, [...pieces], CSV)
