import { Alert, Button, Group, Paper, Select, Stack, Text, Title } from '@mantine/core'
import { ALL_SCOPES, TOKEN_LIVES } from '@meadow/contract'
import {
  type AppResponse,
  changeTokenPolicy,
  listApiTokens,
  type Membership,
  type TokenPolicy,
} from '@meadow/contract/web'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { FormDialog } from '../../shell/form.tsx'
import { ANY_ADDRESS, readWords, ScopesInput, WordsInput } from './token-fields.tsx'
import { formatDays } from './token-lives.ts'

/** What the team allows its tokens, with a dialog in which owners change it. */
export function TokenPolicySection({ team, policy }: { team: Membership; policy: TokenPolicy }) {
  const [isOpen, setIsOpen] = useState(false)
  const { longestDays, scopes, addresses } = policy
  return (
    <Paper component="section" aria-label="Policy" withBorder p="md">
      <Group justify="space-between" align="start" wrap="nowrap">
        <div>
          <Title order={2} size="h4">
            Policy
          </Title>
          <Text size="sm">
            {longestDays === null
              ? 'Tokens may have no end.'
              : `Tokens last ${formatDays(longestDays)} at most.`}{' '}
            {scopes.length === ALL_SCOPES.length
              ? 'All scopes are allowed.'
              : `Scopes: ${scopes.join(', ')}.`}{' '}
            {addresses.length === 0
              ? 'They work from any address.'
              : `They work from ${addresses.join(', ')} only.`}
          </Text>
        </div>
        {team.role === 'owner' && (
          <Button variant="default" flex="none" onClick={() => setIsOpen(true)}>
            Change the policy
          </Button>
        )}
      </Group>
      <PolicyDialog team={team} policy={policy} isOpen={isOpen} close={() => setIsOpen(false)} />
    </Paper>
  )
}

const NO_LIMIT = 'none'

interface PolicyDialogProps {
  team: Membership
  policy: TokenPolicy
  isOpen: boolean
  close: () => void
}

function PolicyDialog({ team, policy, ...dialog }: PolicyDialogProps) {
  const queryClient = useQueryClient()
  return (
    <FormDialog
      {...dialog}
      title="Policy of API tokens"
      size="lg"
      gap="md"
      closeOnClickOutside={false}
      action="Save the policy"
      initial={{
        longest: String(policy.longestDays ?? NO_LIMIT),
        scopes: policy.scopes,
        addresses: policy.addresses.join('\n'),
      }}
      isIncomplete={({ scopes }) => scopes.length === 0}
      save={({ longest, scopes, addresses }) =>
        call(changeTokenPolicy, {
          params: [team.id],
          body: {
            longestDays: longest === NO_LIMIT ? null : Number(longest),
            scopes,
            addresses: readWords(addresses),
          },
        })
      }
      onSaved={() => queryClient.invalidateQueries({ queryKey: [listApiTokens.path] })}
      done={({ effect }) => <Effect {...effect} close={dialog.close} />}
    >
      {({ text, choice }) => (
        <>
          <Text size="sm">
            It holds at once, for existing tokens too: those that would last longer get an earlier end, and
            scopes that are no longer allowed are taken from them. Neither comes back when the policy is
            relaxed again.
          </Text>
          <Select
            label="The longest life of a token"
            data={listLongest(policy.longestDays)}
            allowDeselect={false}
            {...choice('longest')}
          />
          <ScopesInput {...choice('scopes')} />
          <WordsInput
            label="Addresses"
            placeholder={ANY_ADDRESS}
            description="All tokens of the team work only from these addresses and networks"
            {...text('addresses')}
          />
        </>
      )}
    </FormDialog>
  )
}

/** The offered lives, and the present one, which may be another. */
function listLongest(present: number | null): { value: string; label: string }[] {
  const days = new Set<number>([...TOKEN_LIVES, ...(present === null ? [] : [present])])
  return [
    ...[...days].sort((a, b) => a - b).map((count) => ({ value: String(count), label: formatDays(count) })),
    { value: NO_LIMIT, label: 'no limit' },
  ]
}

type EffectProps = AppResponse<typeof changeTokenPolicy>['effect'] & { close: () => void }

function Effect({ shortened, narrowed, ended, close }: EffectProps) {
  return (
    <Stack>
      <Alert color="meadow" role="status" title="The policy holds.">
        {shortened + narrowed + ended === 0
          ? 'No existing token had to change.'
          : `Existing tokens: ${shortened} got an earlier end, ${narrowed} lost scopes, ${ended} ended because no scope was left.`}
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
