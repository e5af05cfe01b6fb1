import { TOTP } from 'otpauth'
import type { Browser } from '../../../testing/start-web-app.ts'

/** The code that an authenticator app shows, or will show in `aheadMs`. */
export const codeOf = (secret: string, aheadMs = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + aheadMs })

/** How long after enrolling with the current code the next one has to be shown: it is accepted already. */
export const NEXT_MS = 30_000

/** Adds an authenticator app for the person of this browser, with the current code. */
export async function enrol(browser: Browser) {
  const { json: started } = await browser.request('POST', '/me/factors/authenticator')
  const { enrolment, secret } = started as { enrolment: string; secret: string }
  const added = await browser.request('POST', '/me/factors/authenticator/confirm', {
    enrolment,
    code: codeOf(secret),
  })
  const { factor, recoveryCodes } = added.json as { factor: { id: string }; recoveryCodes: string[] }
  return { status: added.status, secret, enrolment, factor, recoveryCodes }
}
