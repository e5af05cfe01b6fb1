import { addPasskey, type PasskeyProof, startPasskey, startPasskeyUse } from '@meadow/contract/web'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { ApiError, call } from '../api/call.ts'

/** Returns whether the browser offers passkeys, which it does only on secure pages with a host name. */
export const hasPasskeys = (): boolean =>
  isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)

/** Makes a passkey and adds it to the account. */
export async function makePasskey(name: string) {
  const { options, ceremony } = await call(startPasskey)
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const response = await asking(startRegistration({ optionsJSON }))
  return call(addPasskey, { body: { name, passkey: { ceremony, response } } })
}

/** Asks for one of the person's passkeys. */
export async function askForPasskey(): Promise<PasskeyProof> {
  const { options, ceremony } = await call(startPasskeyUse)
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return { ceremony, response: await asking(startAuthentication({ optionsJSON })) }
}

/**
 * Awaits a prompt of the browser, which does not say on failure whether the user has cancelled, took too long, or has
 * no such passkey.
 */
async function asking(prompt: Promise<object>): Promise<Record<string, unknown>> {
  try {
    return { ...(await prompt) }
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError'
    throw new ApiError(
      0,
      isKnown
        ? 'This device has a passkey of your account already.'
        : 'No passkey was used: it was cancelled, took too long, or this device has none.',
    )
  }
}
