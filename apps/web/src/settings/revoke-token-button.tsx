import { Button } from '@mantine/core'
import { type ApiToken, listApiTokens, type Membership, revokeApiToken } from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'

export function RevokeTokenButton({ token, team }: { token: ApiToken; team: Membership }) {
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
