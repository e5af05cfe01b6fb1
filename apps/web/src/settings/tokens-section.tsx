import { Badge, Button, Code, Group, Loader, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { canMakeTokens, type TokenEndReason } from '@meadow/contract'
import { type ApiToken, listApiTokens, type Membership, revokeApiToken } from '@meadow/contract/web'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { queryOf } from '../api/queries.ts'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'
import { Failure } from '../shell/failure.tsx'
import { When } from '../shell/when.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'

const COLOURS = { valid: 'meadow', expired: 'gray', revoked: 'red' } as const

const END_REASONS: Record<TokenEndReason, string> = {
  maker_left: 'ended: its creator left the team',
  maker_role: 'ended: its creator may no longer create tokens',
  policy: 'ended: the team’s policy left it no scope',
  leaked: 'ended: its secret became known to others',
}

/** The API tokens of the team. */
export function TokensSection({ team }: { team: Membership }) {
  const [isMaking, setIsMaking] = useState(false)
  const tokens = useQuery(queryOf(listApiTokens, { params: [team.id] }))
  const mayMake = canMakeTokens(team.role)
  if (tokens.isLoadingError) return <Failure error={tokens.error} retry={tokens.refetch} />
  return (
    <Stack>
      <Group justify="space-between" align="start">
        <Text c="dimmed" maw={560}>
          Scripts read this team’s folders, documents, solutions and exports with a token. A token cannot
          change anything. Whoever has the secret can read what its scopes allow.
        </Text>
        {mayMake && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setIsMaking(true)}>
            New token
          </Button>
        )}
      </Group>
      <NewTokenDialog team={team} isOpen={isMaking} close={() => setIsMaking(false)} />
      {tokens.isPending && <Loader aria-label="Loading" />}
      {!mayMake && (
        <Text>Viewers cannot create API tokens, and see only those that they created before.</Text>
      )}
      {mayMake && tokens.data?.tokens.length === 0 && <Text>There are no tokens yet.</Text>}
      {tokens.data && tokens.data.tokens.length > 0 && (
        <Table.ScrollContainer minWidth={720}>
          <Table verticalSpacing="sm" aria-label="API tokens">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Scopes</Table.Th>
                <Table.Th>Created</Table.Th>
                <Table.Th>Last used</Table.Th>
                <Table.Th>Expires</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {tokens.data.tokens.map((token) => (
                <TokenRow key={token.id} token={token} team={team} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  )
}

function TokenRow({ token, team }: { token: ApiToken; team: Membership }) {
  const { name, prefix, scopes, folders, state, endReason, createdAt, createdBy, lastUsedAt, expiresAt } =
    token
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500}>{name}</Text>
        <Group gap={6}>
          <Code>{prefix}…</Code>
          <Badge size="sm" variant="light" color={COLOURS[state]}>
            {state}
          </Badge>
        </Group>
        {endReason && (
          <Text size="xs" c="dimmed">
            {END_REASONS[endReason]}
          </Text>
        )}
      </Table.Td>
      <Table.Td maw={220}>
        <Text size="sm">{scopes.join(', ')}</Text>
        {folders && (
          <Text size="xs" c="dimmed">
            {folders.length > 0
              ? `only in ${folders.map(({ name }) => name).join(', ')}`
              : 'its folders are deleted'}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <When at={createdAt} />
        <Text size="xs" c="dimmed">
          {createdBy?.name ?? (endReason === 'maker_left' ? 'a former member' : 'the operator')}
        </Text>
      </Table.Td>
      <Table.Td>{lastUsedAt ? <When at={lastUsedAt} /> : 'never'}</Table.Td>
      <Table.Td>{expiresAt ? <When at={expiresAt} /> : 'never'}</Table.Td>
      <Table.Td>{state === 'valid' && <RevokeTokenButton token={token} team={team} />}</Table.Td>
    </Table.Tr>
  )
}

function RevokeTokenButton({ token, team }: { token: ApiToken; team: Membership }) {
  const [isAsking, setIsAsking] = useState(false)
  const queryClient = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => call(revokeApiToken, { params: [team.id, token.id] }),
    onSuccess: () => setIsAsking(false),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [listApiTokens.name] }),
  })
  return (
    <>
      <Button
        size="xs"
        variant="light"
        color="red"
        aria-label={`Revoke ${token.name}`}
        onClick={() => setIsAsking(true)}
      >
        Revoke
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        close={() => setIsAsking(false)}
        title={`Revoke “${token.name}”?`}
        text="Scripts that use it are refused from the next request on, and download links that it asked for end. This cannot be undone."
        action="Revoke"
        mutation={revoke}
      />
    </>
  )
}
