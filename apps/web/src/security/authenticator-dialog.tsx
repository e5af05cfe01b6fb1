import { Center, Loader, Text, TextInput } from '@mantine/core'
import { addAuthenticator, startAuthenticator } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { encode } from 'uqr'
import { call } from '../api/call.ts'
import { CopyLine } from '../shell/copy-line.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { Failure } from '../shell/failure.tsx'
import { DialogForm } from '../shell/form.tsx'

/** Sets up an authenticator app: its QR code, and a code that the app shows in return. */
export function AuthenticatorDialog({
  close,
  onAdded,
}: {
  close: () => void
  onAdded: (recoveryCodes: readonly string[] | null) => void
}) {
  const start = useQuery({
    queryKey: [startAuthenticator.path],
    queryFn: () => call(startAuthenticator),
    retry: false,
    // The app has to get the secret that is shown.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <Dialog opened onClose={close} title="Add an authenticator app">
      {start.isPending && <Loader aria-label="Loading" />}
      {start.isError && <Failure error={start.error} retry={start.refetch} />}
      {start.data && (
        <DialogForm
          action="Add"
          close={close}
          initial={{ code: '' }}
          save={({ code }) => call(addAuthenticator, { body: { enrolment: start.data.enrolment, code } })}
          onSaved={({ recoveryCodes }) => onAdded(recoveryCodes)}
        >
          {({ text }) => (
            <>
              <Text size="sm">Scan this with the app, or type the key into it.</Text>
              <Center my="sm">
                <QrCode text={start.data.uri} />
              </Center>
              <CopyLine text={start.data.secret} testId="authenticator-secret" />
              <TextInput
                mt="md"
                label="Code that the app shows"
                autoComplete="one-time-code"
                inputMode="numeric"
                required
                {...text('code')}
              />
            </>
          )}
        </DialogForm>
      )}
    </Dialog>
  )
}

/** A QR code that is dark on light even in the dark scheme: not every app reads the reverse. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label="QR code for the authenticator app"
      width={200}
      height={200}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
