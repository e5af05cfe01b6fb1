import { Alert, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { TOKEN_OVERLAPS, type TokenOverlap } from '@meadow/contract'
import { type ApiToken, listApiTokens, type Membership, replaceApiToken } from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, errorMessage } from '../../api/call.ts'
import { SecretOnce } from './secret-once.tsx'

const OVERLAP_LABELS: Record<TokenOverlap, string> = {
  0: 'at once',
  1: 'after an hour',
  24: 'after a day',
  168: 'after a week',
}

interface DialogProps {
  team: Membership
  token: ApiToken
  close: () => void
}

/** Makes a token that takes the place of another one, and shows its secret. */
export function ReplaceTokenDialog({ team, token, close }: DialogProps) {
  return (
    <Modal opened onClose={close} title={`Replace “${token.name}”`} size="lg" closeOnClickOutside={false}>
      <Replacement team={team} token={token} close={close} />
    </Modal>
  )
}

function Replacement({ team, token, close }: DialogProps) {
  const [overlapHours, setOverlapHours] = useState<TokenOverlap>(24)
  const queryClient = useQueryClient()
  const replace = useMutation({
    mutationFn: () => call(replaceApiToken, { params: [team.id, token.id], body: { overlapHours } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [listApiTokens.path] }),
  })
  if (replace.data) return <SecretOnce secret={replace.data.secret} close={close} />
  return (
    <Stack
      component="form"
      onSubmit={(event) => {
        event.preventDefault()
        replace.mutate()
      }}
    >
      {replace.isError && (
        <Alert color="red" role="alert">
          {errorMessage(replace.error)}
        </Alert>
      )}
      <Text size="sm">
        A new token with the same scopes, folders and addresses. Give its secret to the scripts while the old
        one still works. If the old secret leaked, revoke the token instead.
      </Text>
      <Radio.Group
        label="The old token ends"
        value={String(overlapHours)}
        onChange={(chosen) => setOverlapHours(Number(chosen) as TokenOverlap)}
      >
        <Stack gap={6} mt={6}>
          {TOKEN_OVERLAPS.map((hours) => (
            <Radio key={hours} value={String(hours)} label={OVERLAP_LABELS[hours]} />
          ))}
        </Stack>
      </Radio.Group>
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" loading={replace.isPending}>
          Create the new token
        </Button>
      </Group>
    </Stack>
  )
}
