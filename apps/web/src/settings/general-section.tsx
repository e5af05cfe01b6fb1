import {
  Alert,
  Anchor,
  Button,
  Group,
  Paper,
  Progress,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { formatBytes, UNITS, type Unit } from '@meadow/contract'
import {
  changeTeamSettings,
  deleteTeam,
  type Membership,
  readTeamSettings,
  type TeamSettings,
} from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { call } from '../api/call.ts'
import { queryOf } from '../api/queries.ts'
import { ConfirmDeletion } from '../shell/confirm-deletion.tsx'
import { Failure } from '../shell/failure.tsx'
import { Outcome, useForm } from '../shell/form.tsx'
import { Loading } from '../shell/loading.tsx'
import { VersionPolicySection } from './version-policy.tsx'

/** The team's name, host name, storage and limits. */
export function GeneralSection({ team }: { team: Membership }) {
  const settings = useQuery(queryOf(readTeamSettings, { params: [team.id] }))
  if (settings.isLoadingError) return <Failure error={settings.error} retry={settings.refetch} />
  if (!settings.data) return <Loading />
  return (
    <Stack>
      <General team={settings.data.team} />
      <PublicDocuments team={settings.data.team} />
      <VersionPolicySection team={settings.data.team} />
      <Storage team={settings.data.team} />
      {settings.data.team.role === 'owner' && <DeleteTeam team={settings.data.team} />}
    </Stack>
  )
}

function General({ team }: { team: TeamSettings }) {
  const isOwner = team.role === 'owner'
  const queryClient = useQueryClient()
  const form = useForm(
    { name: team.name, units: team.units },
    ({ name, units }) =>
      // Only changed fields are sent, so that changes of other users stay.
      call(changeTeamSettings, {
        params: [team.id],
        body: { ...(name !== team.name && { name }), ...(units !== team.units && { units }) },
      }),
    // Many queries contain the team's name.
    () => queryClient.invalidateQueries(),
  )
  return (
    <Paper component="form" withBorder p="md" maw={520} onSubmit={form.submit}>
      <Stack>
        <TextInput label="Name" required readOnly={!isOwner} {...form.text('name')} />
        <Select
          label="Unit of lengths"
          description="Of definitions that refer to no Rhino model, or to models in different units. It applies from the next solve on; lengths are not converted."
          data={UNIT_CHOICES}
          {...form.choice('units')}
          allowDeselect={false}
          readOnly={!isOwner}
          maxDropdownHeight={320}
        />
        <TextInput
          label="Host name"
          description="Under its own host name, the server accepts only this team’s tokens. The operator of the server sets it with “meadow-server team host”."
          placeholder="none"
          readOnly
          value={team.hostName ?? ''}
        />
        <Outcome of={form} done="Saved." />
        {isOwner ? (
          <Button type="submit" loading={form.isBusy} w="fit-content">
            Save
          </Button>
        ) : (
          <Alert color="gray">Only owners can change the team.</Alert>
        )}
      </Stack>
    </Paper>
  )
}

/** Whether documents may be public, and for how long at most. A choice is saved at once. */
function PublicDocuments({ team }: { team: TeamSettings }) {
  const isOwner = team.role === 'owner'
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (publicDocuments: Partial<TeamSettings['publicDocuments']>) =>
      call(changeTeamSettings, { params: [team.id], body: { publicDocuments } }),
    // Documents may have become private.
    onSuccess: () => queryClient.invalidateQueries(),
  })
  const { allowed, days } = team.publicDocuments
  const chosen = days === null ? NO_END : String(days)
  return (
    <Paper component="section" aria-label="Public documents" withBorder p="md" maw={520}>
      <Stack>
        <Title order={2} size="h4">
          Public documents
        </Title>
        <Switch
          label="Members may make documents public"
          description="Anyone with the link then sees such a document without signing in. When this is switched off, all public documents become private at once."
          checked={allowed}
          disabled={!isOwner || change.isPending}
          onChange={({ currentTarget }) => change.mutate({ allowed: currentTarget.checked })}
        />
        <Select
          label="For how long at most"
          data={
            PUBLIC_DAYS.some(({ value }) => value === chosen)
              ? PUBLIC_DAYS
              : [...PUBLIC_DAYS, { value: chosen, label: `${chosen} days` }]
          }
          value={chosen}
          allowDeselect={false}
          disabled={!isOwner || !allowed || change.isPending}
          onChange={(value) => value && change.mutate({ days: value === NO_END ? null : Number(value) })}
        />
        <Outcome of={change} />
      </Stack>
    </Paper>
  )
}

const NO_END = 'none'
const PUBLIC_DAYS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: NO_END, label: 'Without an end' },
]

/** The common units; those that few people use are below them. */
const COMMON_UNITS = UNITS.slice(0, UNITS.indexOf('miles') + 1)
const toChoice = (unit: Unit) => ({
  value: unit,
  label: unit === 'none' ? 'None' : unit.charAt(0).toUpperCase() + unit.slice(1),
})
const UNIT_CHOICES = [
  { group: 'Common', items: COMMON_UNITS.map(toChoice) },
  { group: 'Others', items: UNITS.filter((unit) => !COMMON_UNITS.includes(unit)).map(toChoice) },
]

const count = (number: number): string => number.toLocaleString('en')

function Storage({ team: { stored, limits } }: { team: TeamSettings }) {
  return (
    <Paper component="section" aria-label="Storage" withBorder p="md" maw={520}>
      <Stack>
        <Title order={2} size="h4">
          Storage
        </Title>
        <Use label="Documents" used={stored.documents} limit={limits.documents} format={count} />
        <Use label="Files and contents" used={stored.bytes} limit={limits.bytes} format={formatBytes} />
        <Text c="dimmed" size="sm">
          Items in the bin count until they are deleted permanently. Solutions and exports do not count. The
          operator of the server sets the limits.
        </Text>
      </Stack>
    </Paper>
  )
}

interface UseProps {
  label: string
  used: number
  /** The limit; null if there is none. */
  limit: number | null
  format(amount: number): string
}

function Use({ label, used, limit, format }: UseProps) {
  const percent = limit === null ? 0 : Math.min(100, limit > 0 ? (used / limit) * 100 : 100)
  return (
    <div>
      <Group justify="space-between">
        <Text size="sm">{label}</Text>
        <Text size="sm" fw={600}>
          {limit === null ? format(used) : `${format(used)} of ${format(limit)}`}
        </Text>
      </Group>
      {limit !== null && (
        <Progress
          mt={4}
          value={percent}
          color={percent >= 100 ? 'red' : 'meadow'}
          aria-label={`${label}: how much of the limit is used`}
        />
      )}
    </div>
  )
}

/** Lets owners delete the team. */
function DeleteTeam({ team }: { team: TeamSettings }) {
  const [isAsking, setIsAsking] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <Paper component="section" aria-label="Delete the team" withBorder p="md" maw={520}>
      <Stack>
        <Title order={2} size="h4">
          Delete the team
        </Title>
        <Text size="sm">
          Nobody reaches its documents any more, and its API tokens are rejected. For 14 days, owners can
          restore it{' '}
          <Anchor component={Link} to="/account" inherit underline="always">
            in their account
          </Anchor>
          ; then everything is removed for good.
        </Text>
        <Button color="red" variant="outline" w="fit-content" onClick={() => setIsAsking(true)}>
          Delete this team…
        </Button>
      </Stack>
      {isAsking && (
        <ConfirmDeletion
          title={`Delete “${team.name}”?`}
          confirmation={{ text: team.name, label: 'Type the name of the team to confirm' }}
          action="Delete the team"
          done={`The team “${team.name}” is deleted. For 14 days, its owners can restore it in their account.`}
          run={async (name) => (await call(deleteTeam, { params: [team.id], body: { name } })).remains}
          close={(isDone) => {
            setIsAsking(false)
            if (!isDone) return
            void navigate('/account')
            void queryClient.invalidateQueries()
          }}
        >
          <Text>
            It stores {team.stored.documents.toLocaleString('en')} documents. All members lose access at once;
            links to exports and public documents stop working, and open editors are closed. Where this server
            sends mails, the owners get a notice by e-mail.
          </Text>
        </ConfirmDeletion>
      )}
    </Paper>
  )
}
