import { Suspense, useEffect, useState } from 'react'
import { handleFreshSignIn } from '../api/call.ts'
import { lazyPart } from '../shell/lazy-part.tsx'

// The dialog is rarely needed, so nothing of it is loaded with the first page.
const ConfirmIdentity = lazyPart(() => import('./confirm-identity.tsx'), 'ConfirmIdentity')

/**
 * The dialog that asks who is there when a request needs a fresh sign-in. The request is repeated once the user has
 * answered, and fails when they close the dialog.
 */
export function FreshSignIn() {
  const [settle, setSettle] = useState<((isConfirmed: boolean) => void) | undefined>()
  useEffect(
    () =>
      handleFreshSignIn(
        () =>
          new Promise((resolve) => {
            setSettle(() => (isConfirmed: boolean) => {
              setSettle(undefined)
              resolve(isConfirmed)
            })
          }),
      ),
    [],
  )
  return (
    settle && (
      <Suspense>
        <ConfirmIdentity close={settle} />
      </Suspense>
    )
  )
}
