import { Alert, Badge, Button, Code, Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { canMakeTokens, endsSoon, type TokenEndReason } from '@meadow/contract'
import { type ApiToken, listApiTokens, type Membership, revokeApiToken } from '@meadow/contract/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { Failure } from '../../shell/failure.tsx'
import { IconPlus } from '../../shell/icons.ts'
import { Loading } from '../../shell/loading.tsx'
import { useMe } from '../../shell/use-me.ts'
import { When } from '../../shell/when.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { ReplaceTokenDialog } from './replace-token-dialog.tsx'
import { TokenPolicySection } from './token-policy.tsx'

const COLOURS = { valid: 'meadow', expired: 'gray', revoked: 'red' } as const

const END_REASONS: Record<TokenEndReason, string> = {
  maker_left: 'ended: its creator left the team',
  maker_role: 'ended: its creator may no longer create tokens',
  policy: 'ended: the team’s policy left it no scope',
  leaked: 'ended: its secret became known to others',
}

/** The API tokens of the team, and what its policy allows. */
export function TokensSection({ team }: { team: Membership }) {
  const [isMaking, setIsMaking] = useState(false)
  /** The token that a dialog replaces. The dialog stays when the token has ended, since it shows the new secret. */
  const [replaced, setReplaced] = useState<ApiToken>()
  const { person } = useMe()
  const tokens = useQuery(queryOf(listApiTokens, { params: [team.id] }))
  const mayMake = canMakeTokens(team.role)
  /** Whoever replaces a token learns the new secret, which acts for its owner. */
  const mayReplace = ({ kind, createdBy, replacedBy }: ApiToken): boolean =>
    replacedBy === null &&
    (kind === 'service' ? team.role === 'owner' : mayMake && createdBy?.id === person.id)
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
      <NewTokenDialog
        team={team}
        policy={tokens.data?.policy}
        isOpen={isMaking}
        close={() => setIsMaking(false)}
      />
      {replaced && <ReplaceTokenDialog team={team} token={replaced} close={() => setReplaced(undefined)} />}
      <EndingTokens tokens={tokens.data?.tokens ?? []} />
      {tokens.isPending && <Loading />}
      {!mayMake && (
        <Text>Viewers cannot create API tokens, and see only those that they created before.</Text>
      )}
      {mayMake && tokens.data?.tokens.length === 0 && <Text>There are no tokens yet.</Text>}
      {tokens.data && tokens.data.tokens.length > 0 && (
        <div className="stacked-table">
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
                <TokenRow
                  key={token.id}
                  token={token}
                  team={team}
                  replace={mayReplace(token) ? () => setReplaced(token) : undefined}
                />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {tokens.data && <TokenPolicySection team={team} policy={tokens.data.policy} />}
    </Stack>
  )
}

/** Whether a token that nothing has replaced ends within the next days. */
const isEnding = ({ state, createdAt, expiresAt, replacedBy }: ApiToken): boolean =>
  state === 'valid' &&
  replacedBy === null &&
  endsSoon(
    { createdAt: Date.parse(createdAt), expiresAt: expiresAt === null ? null : Date.parse(expiresAt) },
    Date.now(),
  )

/** Says which tokens end soon, before the scripts that use them are refused. */
function EndingTokens({ tokens }: { tokens: ApiToken[] }) {
  const ending = tokens.filter(isEnding)
  if (ending.length === 0) return null
  return (
    <Alert
      color="yellow"
      title={ending.length === 1 ? 'A token ends soon' : `${ending.length} tokens end soon`}
    >
      {ending.map(({ id, name, expiresAt }) => (
        <Text key={id} size="sm">
          “{name}” ends <When at={expiresAt!} />. Replace it, and give its scripts the new secret.
        </Text>
      ))}
    </Alert>
  )
}

interface TokenRowProps {
  token: ApiToken
  team: Membership
  /** Replaces the token; undefined if the user may not replace it. */
  replace: (() => void) | undefined
}

function TokenRow({ token, team, replace }: TokenRowProps) {
  const { name, prefix, kind, scopes, folders, addresses, origins, state, endReason, replacedBy } = token
  const { createdAt, createdBy, lastUsedAt, lastUsedFrom, expiresAt } = token
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500}>{name}</Text>
        <Group gap={6}>
          <Code>{prefix}…</Code>
          <Badge size="sm" variant="light" color={COLOURS[state]}>
            {state}
          </Badge>
          {kind === 'service' && (
            <Badge size="sm" variant="default">
              service
            </Badge>
          )}
        </Group>
        {endReason && <Fact>{END_REASONS[endReason]}</Fact>}
        {replacedBy && <Fact>another token takes its place</Fact>}
      </Table.Td>
      <Table.Td maw={220} data-label="Scopes">
        <Text size="sm">{scopes.join(', ')}</Text>
        {folders && (
          <Fact>
            {folders.length > 0
              ? `only in ${folders.map(({ name }) => name).join(', ')}`
              : 'its folders are deleted'}
          </Fact>
        )}
        {addresses.length > 0 && <Fact>only from {addresses.join(', ')}</Fact>}
        {origins.length > 0 && <Fact>in pages of {origins.join(', ')}</Fact>}
      </Table.Td>
      <Table.Td data-label="Created">
        <When at={createdAt} />
        <Fact>{createdBy?.name ?? (endReason === 'maker_left' ? 'a former member' : 'the operator')}</Fact>
      </Table.Td>
      <Table.Td data-label="Last used">
        {lastUsedAt ? <When at={lastUsedAt} /> : 'never'}
        {lastUsedFrom && <Fact>from {lastUsedFrom}</Fact>}
      </Table.Td>
      <Table.Td data-label="Expires">{expiresAt ? <When at={expiresAt} /> : 'never'}</Table.Td>
      <Table.Td>
        {state === 'valid' && (
          <Group gap={6} wrap="nowrap" justify="flex-end">
            {replace && (
              <Button size="xs" variant="default" aria-label={`Replace ${name}`} onClick={replace}>
                Replace
              </Button>
            )}
            <RevokeTokenButton token={token} team={team} />
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function Fact({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed">
      {children}
    </Text>
  )
}

function RevokeTokenButton({ token, team }: { token: ApiToken; team: Membership }) {
  const [isAsking, setIsAsking] = useState(false)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: [listApiTokens.path] })
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
        run={() => call(revokeApiToken, { params: [team.id, token.id] }).finally(refresh)}
      />
    </>
  )
}
