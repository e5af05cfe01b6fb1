import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Log } from '../../../platform/log.ts'
import type { TestDatabase } from '../../../testing/databases.ts'
import { findFreePort } from '../../../testing/find-free-port.ts'
import { type Browser, startWebApp } from '../../../testing/start-web-app.ts'
import { startOpenIdProvider } from './open-id-provider.ts'

export interface WithProviderOptions {
  env?: Record<string, string>
  log?: Log
}

/** A server that people can sign in to through a provider, which the test speaks for. */
export async function startWithProvider(
  t: TestContext,
  kind?: TestDatabase,
  { env = {}, log }: WithProviderOptions = {},
) {
  const provider = await startOpenIdProvider(t)
  // The server has to know its address before it listens.
  const port = await findFreePort()
  const variables = {
    MEADOW_PORT: String(port),
    MEADOW_BASE_URL: `http://127.0.0.1:${port}`,
    MEADOW_OIDC_ISSUER: provider.issuer,
    MEADOW_OIDC_CLIENT_ID: 'meadow',
    MEADOW_OIDC_CLIENT_SECRET: 'secret',
    MEADOW_OIDC_NAME: 'Acme login',
    ...env,
  }
  const app = await startWebApp(t, kind, variables, log)

  /** Follows redirects to the provider and back; returns the path of the callback with its code. */
  async function begin(browser: Browser, to?: string): Promise<string> {
    const start = await browser.get(
      `/sign-in/oidc${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`,
      { redirect: 'manual' },
    )
    assert.equal(start.status, 302, start.text)
    const atProvider = await fetch(start.headers.get('location')!, { redirect: 'manual' })
    const back = new URL(atProvider.headers.get('location')!)
    assert.equal(back.origin, app.address)
    return back.pathname.replace('/app/v1', '') + back.search
  }

  /** Follows redirects until a page of the app; returns its address. */
  async function signIn(browser: Browser, to?: string): Promise<string> {
    const end = await browser.get(await begin(browser, to), { redirect: 'manual' })
    assert.equal(end.status, 302, end.text)
    return end.headers.get('location')!.replace(app.address, '')
  }
  return { ...app, provider, variables, begin, signIn, signInHere: app.signIn }
}
