import { Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { AUDIT_ACTIONS, type AuditAction, type AuditFormat } from '@meadow/contract'
import {
  type AppQuery,
  type AppResponse,
  type AuditEntry,
  downloadAuditEvents,
  listAuditEvents,
  listMembers,
  type Membership,
} from '@meadow/contract/web'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, errorMessage } from '../api/call.ts'
import { queryOf } from '../api/queries.ts'
import { download } from '../shell/download.ts'
import { Failure } from '../shell/failure.tsx'
import { Loading } from '../shell/loading.tsx'
import { OlderButton } from '../shell/older-button.tsx'
import { When } from '../shell/when.tsx'

/** What the events are chosen by; an empty text chooses all. */
interface Chosen {
  person: string
  action: AuditAction | ''
  /** Days, such as `2026-11-23`, of the user's time zone; both are included. */
  from: string
  to: string
}

/** Who did what in the team. For owners. */
export function AuditSection({ team }: { team: Membership }) {
  const [chosen, setChosen] = useState<Chosen>({ person: '', action: '', from: '', to: '' })
  const query = toQuery(chosen)
  const pages = useInfiniteQuery({
    queryKey: [listAuditEvents.path, team.id, query],
    queryFn: ({ pageParam, signal }) =>
      call(listAuditEvents, {
        params: [team.id],
        query: pageParam ? { ...query, after: pageParam } : query,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: AppResponse<typeof listAuditEvents>) => last.next,
  })
  const events = pages.data?.pages.flatMap((page) => page.events)
  return (
    <Stack>
      <Text c="dimmed" size="sm" maw={640}>
        Who did what in this team, from where, and when its members signed in. Nobody can change or remove an
        entry; what API tokens read is not listed here.
      </Text>
      <Filters team={team} chosen={chosen} onChange={setChosen} />
      {pages.isLoadingError && <Failure error={pages.error} retry={pages.refetch} />}
      {pages.isPending && <Loading />}
      {events?.length === 0 && <Text>There are no such entries.</Text>}
      {events && events.length > 0 && <EventTable events={events} />}
      <Group>
        <OlderButton pages={pages}>Show older entries</OlderButton>
        {events && events.length > 0 && <Downloads team={team} chosen={chosen} />}
      </Group>
    </Stack>
  )
}

interface FiltersProps {
  team: Membership
  chosen: Chosen
  onChange: (chosen: Chosen) => void
}

function Filters({ team, chosen, onChange }: FiltersProps) {
  const members = useQuery(queryOf(listMembers, { params: [team.id] })).data?.members ?? []
  return (
    <Group align="end">
      <Select
        label="Person"
        placeholder="Anyone"
        data={members.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen.person || null}
        onChange={(person) => onChange({ ...chosen, person: person ?? '' })}
        clearable
        searchable
      />
      <Select
        label="Action"
        placeholder="Any"
        data={Object.entries(AUDIT_ACTIONS).map(([value, label]) => ({ value, label }))}
        value={chosen.action || null}
        onChange={(action) => onChange({ ...chosen, action: (action ?? '') as AuditAction | '' })}
        clearable
        searchable
      />
      <TextInput
        type="date"
        label="From"
        value={chosen.from}
        onChange={(event) => onChange({ ...chosen, from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="To"
        value={chosen.to}
        onChange={(event) => onChange({ ...chosen, to: event.currentTarget.value })}
      />
    </Group>
  )
}

const DAY_MS = 24 * 3600 * 1000

function toQuery({ person, action, from, to }: Chosen): AppQuery<typeof listAuditEvents> {
  const startOf = (day: string) => new Date(`${day}T00:00`).getTime()
  return {
    ...(person && { person }),
    ...(action && { action }),
    ...(from && { since: new Date(startOf(from)).toISOString() }),
    ...(to && { until: new Date(startOf(to) + DAY_MS).toISOString() }),
  }
}

function EventTable({ events }: { events: readonly AuditEntry[] }) {
  const hasAddresses = events.some(({ address }) => address !== null)
  return (
    <div className="stacked-table">
      <Table aria-label="Audit log">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>What</Table.Th>
            {hasAddresses && <Table.Th>From</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map((event) => (
            <Table.Tr key={`${event.chain} ${event.seq}`}>
              <Table.Td data-label="When">
                <When at={event.at} />
              </Table.Td>
              <Table.Td data-label="Who" style={{ overflowWrap: 'anywhere', minWidth: '20ch' }}>
                {describeActor(event)}
              </Table.Td>
              <Table.Td data-label="What" style={{ overflowWrap: 'anywhere' }}>
                {AUDIT_ACTIONS[event.action]}
                {event.thing?.name && event.thing.name !== event.actor.name && `: ${event.thing.name}`}
                <Details details={event.details} />
              </Table.Td>
              {hasAddresses && <Table.Td data-label="From">{event.address}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

const ACTORS: Record<AuditEntry['actor']['kind'], string> = {
  user: 'A person',
  token: 'An API token',
  operator: 'The operator',
  service: 'Meadow',
  link: 'A link',
  anonymous: 'Somebody',
}

function describeActor({ actor: { kind, id, name } }: AuditEntry): string {
  if (kind === 'user') return name ?? ACTORS.user
  const who = name ?? id
  return who === null ? ACTORS[kind] : `${ACTORS[kind]} (${who})`
}

function Details({ details }: { details: AuditEntry['details'] }) {
  const facts = Object.entries(details ?? {}).filter(([, value]) => value !== null)
  if (facts.length === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {facts
        .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`)
        .join(' · ')}
    </Text>
  )
}

const FORMATS: Record<AuditFormat, string> = { csv: 'Download CSV', jsonl: 'Download JSON Lines' }

function Downloads({ team, chosen }: { team: Membership; chosen: Chosen }) {
  const request = useMutation({
    mutationFn: async (format: AuditFormat) => {
      const bytes = await call(downloadAuditEvents, {
        params: [team.id],
        body: { ...toQuery(chosen), format },
      })
      download(`audit.${format}`, [bytes as Uint8Array<ArrayBuffer>])
    },
  })
  return (
    <>
      {(Object.keys(FORMATS) as AuditFormat[]).map((format) => (
        <Button
          key={format}
          variant="default"
          loading={request.isPending && request.variables === format}
          onClick={() => request.mutate(format)}
        >
          {FORMATS[format]}
        </Button>
      ))}
      {request.isError && (
        <Text c="red" size="sm" role="alert">
          {errorMessage(request.error)}
        </Text>
      )}
    </>
  )
}
