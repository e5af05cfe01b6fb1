import { Anchor, Badge, Button, Code, Collapse, Group, Paper, Stack, Table, Text } from '@mantine/core'
import {
  type AppResponse,
  listMirrorRuns,
  listMirrors,
  type Membership,
  type Mirror,
  type MirrorChange,
} from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { queryOf } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import { IconChevronDown, IconChevronRight } from '../shell/icons.ts'
import { Loading } from '../shell/loading.tsx'
import { When } from '../shell/when.tsx'
import { describeCounts, describeLength, describeMirror, OUTCOMES } from './describe-mirror.ts'

/** How often what the operator's runs have changed is read again. */
const REFRESH_MS = 30_000

/** The folders on the server's disk that are mirrored into the team. */
export function MirrorsSection({ team }: { team: Membership }) {
  const query = useQuery({ ...queryOf(listMirrors, { params: [team.id] }), refetchInterval: REFRESH_MS })
  if (query.isLoadingError) return <Failure error={query.error} retry={query.refetch} />
  const mirrors = query.data?.mirrors
  return (
    <Stack>
      <Text c="dimmed" maw={640}>
        Folders on the server’s disk or network drive that are imported again and again: what changes there
        changes here. The operator of this server registers them with “meadow-server mirror add”.
      </Text>
      {!mirrors && <Loading />}
      {mirrors?.length === 0 && <Text>No folder is mirrored into this team.</Text>}
      {mirrors?.map((mirror) => (
        <MirrorCard key={mirror.id} mirror={mirror} team={team} />
      ))}
    </Stack>
  )
}

function MirrorCard({ mirror, team }: { mirror: Mirror; team: Membership }) {
  const { name, path, folder, isWatched, gone, lastRun, completedAt } = mirror
  const { label, color, isTrouble, sentence } = describeMirror(mirror, Date.now())
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap" align="start">
          <Text fw={600} component="h2" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Badge variant="light" color={color} tt="none" fw={600} flex="none">
            {label}
          </Badge>
        </Group>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Code>{path}</Code> into{' '}
          {folder ? (
            <Anchor component={Link} inherit underline="always" to={`/teams/${team.id}/folders/${folder.id}`}>
              {folder.name}
            </Anchor>
          ) : (
            'a folder that was deleted'
          )}
          {gone === 'bin' && '. What is deleted there goes into the bin here.'}
        </Text>
        {isTrouble && <Text size="sm">{sentence}</Text>}
        <Text size="sm" c="dimmed" component="div">
          {lastRun ? (
            <>
              Last run <When at={lastRun.startedAt} />
              {lastRun.endedAt && `, took ${describeLength(lastRun)}`}
              {lastRun.counts && ` · ${describeCounts(lastRun.counts)}`}
            </>
          ) : (
            'Not run yet'
          )}
          {isWatched && ' · Changes are followed as files are saved'}
          {completedAt && completedAt !== lastRun?.endedAt && (
            <>
              {' '}
              · Last read completely <When at={completedAt} />
            </>
          )}
        </Text>
        {lastRun && (
          <Button
            variant="subtle"
            size="compact-sm"
            w="fit-content"
            px={4}
            leftSection={isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
            aria-expanded={isOpen}
            aria-controls={listId}
            onClick={() => setIsOpen(!isOpen)}
          >
            What changed
          </Button>
        )}
        <Collapse id={listId} expanded={isOpen}>
          {isOpen && <RunList mirror={mirror} team={team} />}
        </Collapse>
      </Stack>
    </Paper>
  )
}

type Run = AppResponse<typeof listMirrorRuns>['runs'][number]

function RunList({ mirror, team }: { mirror: Mirror; team: Membership }) {
  const query = useQuery({
    ...queryOf(listMirrorRuns, { params: [team.id, mirror.id] }),
    refetchInterval: REFRESH_MS,
  })
  if (query.isLoadingError) return <Failure error={query.error} retry={query.refetch} />
  if (!query.data) return <Loading />
  return (
    <Stack gap="lg" pt="xs">
      {query.data.runs.map((run) => (
        <RunDetails key={run.startedAt} run={run} team={team} />
      ))}
    </Stack>
  )
}

function RunDetails({ run, team }: { run: Run; team: Membership }) {
  const { startedAt, reason, counts, changes, omitted } = run
  return (
    <div>
      <Text size="sm" component="div">
        <When at={startedAt} />, {describeLength(run)}
        {counts && `: ${describeCounts(counts)}`}
      </Text>
      {reason && <Text size="sm">{reason}</Text>}
      {changes.length > 0 && (
        <Table.ScrollContainer minWidth={240}>
          <Table verticalSpacing={4} aria-label="Files">
            <Table.Tbody>
              {changes.map((change) => (
                <ChangeRow key={`${change.path} ${change.outcome}`} change={change} team={team} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {omitted > 0 && (
        <Text size="sm" c="dimmed">
          And {omitted.toLocaleString()} more.
        </Text>
      )}
    </div>
  )
}

function ChangeRow({ change, team }: { change: MirrorChange; team: Membership }) {
  const { outcome, path, from, reason } = change
  const { label, color } = OUTCOMES[outcome]
  const to = findAddress(change, team)
  return (
    <Table.Tr>
      <Table.Td w={150}>
        <Badge variant="light" color={color} size="sm" tt="none" fw={600}>
          {label}
        </Badge>
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {to === undefined ? (
          path
        ) : (
          <Anchor component={Link} to={to} size="sm">
            {path}
          </Anchor>
        )}
        {(from ?? reason) !== null && (
          <Text size="xs" c="dimmed">
            {from === null ? reason : `from ${from}`}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

/** Returns the address of the page that shows the item of a change, if any. */
function findAddress({ item, outcome }: MirrorChange, team: Membership): string | undefined {
  if (item?.isThere && item.kind === 'document') return `/documents/${item.id}`
  if (item && (outcome === 'binned' || outcome === 'left_in_bin')) return `/teams/${team.id}/bin`
  return undefined
}
