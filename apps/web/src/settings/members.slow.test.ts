import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { startOpenIdProvider } from '../../../server/src/features/sign-in/testing/open-id-provider.ts'
import { openDatabase } from '../../../server/src/platform/database/open-database.ts'
import { createSuiteScope } from '../../../server/src/testing/at-end.ts'
import { findFreePort } from '../../../server/src/testing/find-free-port.ts'
import { assertAccessible } from '../testing/assert-accessible.ts'
import { noBrowser } from '../testing/browser.ts'
import { useApp } from '../testing/start-app.ts'
import { startDemo } from '../testing/start-demo.ts'

const TEAM = `team_${'1'.repeat(16)}`

/** A browser of a test opens no other site. */
async function signInThroughProvider(address: string): Promise<void> {
  const start = await fetch(`${address}/app/v1/sign-in/oidc`, { redirect: 'manual' })
  const cookie = start.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const atProvider = await fetch(start.headers.get('location')!, { redirect: 'manual' })
  const end = await fetch(atProvider.headers.get('location')!, { headers: { cookie }, redirect: 'manual' })
  assert.deepEqual([end.status, end.headers.get('location')], [302, `${address}/`])
}

describe('members whose roles a provider gives', { skip: noBrowser }, () => {
  const scope = createSuiteScope()
  const app = useApp(async () => {
    const provider = await startOpenIdProvider(scope)
    const groups = ['designers']
    provider.authorize({ sub: '1', email: 'ben@example.org', email_verified: true, name: 'Ben', groups })
    const port = await findFreePort()
    const demo = await startDemo({
      env: {
        MEADOW_PORT: String(port),
        MEADOW_BASE_URL: `http://127.0.0.1:${port}`,
        MEADOW_OIDC_ISSUER: provider.issuer,
        MEADOW_OIDC_CLIENT_ID: 'meadow',
        MEADOW_OIDC_CLIENT_SECRET: 'secret',
        MEADOW_OIDC_NAME: 'Acme login',
        MEADOW_OIDC_ROLES: `designers:${TEAM}:member`,
      },
      solved: [],
    })
    // The rules have to name it before it is made.
    const database = await openDatabase({ dataDir: demo.dataDir })
    await database.transaction((write) =>
      write
        .updateTable('team')
        .set({ public_id: TEAM as never })
        .execute(),
    )
    await database.close()
    return demo
  })
  afterEach(() => app.checkTroubles())

  test('[WEB-122] given a rule about a group, when a person of it signs in through the provider, then owners read where the role is from, and what a change by hand is worth', async () => {
    await signInThroughProvider(app.demo.address)
    const owner = await app.open()
    await owner.getByRole('link', { name: 'Settings' }).click()
    await owner.getByRole('tab', { name: 'Members' }).click()
    const ben = owner.getByRole('row').filter({ hasText: 'ben@example.org' })
    const origin = ben.getByText('By the identity provider. A role that you choose stays, but')
    await origin.waitFor()
    assert.equal(await owner.getByText('By the identity provider.').count(), 1)
    await assertAccessible(owner)
    await ben.getByRole('button', { name: 'Remove Ben' }).click()
    const dialog = owner.getByRole('dialog')
    await dialog.getByText('the next sign-in through it may bring them back').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await ben.getByRole('combobox', { name: 'Role of Ben' }).click()
    await owner.getByRole('option', { name: 'Viewer' }).click()
    await origin.waitFor({ state: 'detached' })
    await owner.context().close()
  })
})
