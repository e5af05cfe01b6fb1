import { Paper, Select, Stack, Text, Title } from '@mantine/core'
import { formatBytes } from '@meadow/contract'
import { changeTeamSettings, type TeamSettings, type VersionPolicy } from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { Outcome } from '../shell/form.tsx'
import { formatDays } from './tokens/token-lives.ts'

const FOR_EVER = 'ever'

const STEPS: { name: keyof VersionPolicy; label: string; days: readonly number[] }[] = [
  { name: 'allDays', label: 'All versions', days: [1, 7, 30, 90, 365] },
  { name: 'dailyDays', label: 'After that, the last one of each day', days: [7, 30, 90, 365] },
  { name: 'weeklyDays', label: 'After that, the last one of each week', days: [30, 90, 365, 1825] },
]

/** For how long the team keeps versions of its documents. A choice is saved at once. */
export function VersionPolicySection({ team }: { team: TeamSettings }) {
  const isOwner = team.role === 'owner'
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (versionPolicy: Partial<VersionPolicy>) =>
      call(changeTeamSettings, { params: [team.id], body: { versionPolicy } }),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  const { versions, bytes } = team.history
  return (
    <Paper component="section" aria-label="History of documents" withBorder p="md" maw={520}>
      <Stack>
        <Title order={2} size="h4">
          History of documents
        </Title>
        <Text size="sm">
          Versions that are named or pinned are kept until someone deletes them. Others are kept for as long
          as you choose; what is no longer kept is removed within the hour, and does not come back.
        </Text>
        {STEPS.map(({ name, label, days }) => (
          <Select
            key={name}
            label={label}
            data={listChoices(days, team.versionPolicy[name])}
            value={toChoice(team.versionPolicy[name])}
            allowDeselect={false}
            disabled={!isOwner || change.isPending}
            onChange={(chosen) =>
              chosen && change.mutate(withLonger(team.versionPolicy, name, fromChoice(chosen)))
            }
          />
        ))}
        <Text c="dimmed" size="sm">
          {`Now ${versions.toLocaleString('en')} ${versions === 1 ? 'version takes' : 'versions take'} ${formatBytes(bytes)}, which do not count towards the limits.`}
        </Text>
        <Outcome of={change} />
      </Stack>
    </Paper>
  )
}

const toChoice = (days: number | null): string => (days === null ? FOR_EVER : String(days))
const fromChoice = (choice: string): number | null => (choice === FOR_EVER ? null : Number(choice))

/** The usual choices, and the present one, which may be another. */
function listChoices(usual: readonly number[], present: number | null): { value: string; label: string }[] {
  const days = [...new Set([...usual, ...(present === null ? [] : [present])])].sort((a, b) => a - b)
  return [
    ...days.map((count) => ({ value: String(count), label: `for ${formatDays(count)}` })),
    { value: FOR_EVER, label: 'for ever' },
  ]
}

/**
 * Returns the changes of a choice. Later times that are shorter, and earlier ones that are longer, become equal to it.
 */
function withLonger(
  policy: VersionPolicy,
  name: keyof VersionPolicy,
  days: number | null,
): Partial<VersionPolicy> {
  const at = STEPS.findIndex((step) => step.name === name)
  const lengthOf = (one: number | null) => one ?? Number.POSITIVE_INFINITY
  return Object.fromEntries(
    STEPS.flatMap((step, index) => {
      const present = policy[step.name]
      const isBroken =
        index < at ? lengthOf(present) > lengthOf(days) : index > at && lengthOf(present) < lengthOf(days)
      return index === at || isBroken ? [[step.name, days]] : []
    }),
  )
}
