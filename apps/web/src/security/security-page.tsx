import { Alert, Anchor, Loader, Stack, Title } from '@mantine/core'
import { readSecurity } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { queryOf } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import { useTitle } from '../shell/use-title.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecondFactors } from './second-factors.tsx'
import { Sessions } from './sessions.tsx'

/** The user's second factors and sessions. */
export function SecurityPage() {
  useTitle('Security')
  const security = useQuery(queryOf(readSecurity))
  const [newCodes, setNewCodes] = useState<readonly string[]>()
  return (
    <Stack maw={720} mx="auto">
      <Anchor component={Link} to="/account" size="sm">
        Account
      </Anchor>
      <Title order={1} size="h2">
        Security
      </Title>
      {security.isPending && <Loader aria-label="Loading" />}
      {security.isLoadingError && <Failure error={security.error} retry={security.refetch} />}
      {newCodes && <RecoveryCodes codes={newCodes} close={() => setNewCodes(undefined)} />}
      {security.data && (
        <>
          {security.data.factors.length > 0 && security.data.recoveryCodes === 0 && (
            <Alert color="yellow" title="No recovery codes are left">
              Create new ones, so that you can sign in when you do not have your second factor at hand.
            </Alert>
          )}
          <SecondFactors
            factors={security.data.factors}
            recoveryCodes={security.data.recoveryCodes}
            onNewCodes={setNewCodes}
          />
          <Sessions sessions={security.data.sessions} />
        </>
      )}
    </Stack>
  )
}
