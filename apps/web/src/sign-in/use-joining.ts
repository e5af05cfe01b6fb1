import { type AppBody, acceptInvitation } from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { call } from '../api/call.ts'
import { meQuery } from '../api/queries.ts'

type NewAccount = NonNullable<AppBody<typeof acceptInvitation>['account']>

/**
 * The key under which the secret is kept while the browser is at another service to sign in. No address that a server
 * sees has the secret.
 */
export const STORED_SECRET = 'meadow.invitation'

/** Joins the team of an invitation, with a new account or that of the signed-in person, and opens the team. */
export function useJoining(secret: string) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (account: NewAccount | undefined) =>
      call(acceptInvitation, { body: account ? { secret, account } : { secret } }),
    async onSuccess({ teamId, me }) {
      sessionStorage.removeItem(STORED_SECRET)
      queryClient.setQueryData(meQuery.queryKey, me)
      await navigate(`/teams/${teamId}`, { replace: true })
    },
  })
}
