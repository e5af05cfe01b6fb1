import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { codeOf, NEXT_MS } from '../../../server/src/features/sign-in/testing/enrol.ts'
import { openDatabase } from '../../../server/src/platform/database/open-database.ts'
import { assertAccessible } from '../testing/assert-accessible.ts'
import { noBrowser } from '../testing/browser.ts'
import { shareDemo } from '../testing/share-demo.ts'
import { signIn, useApp } from '../testing/start-app.ts'

describe('second factors and sessions', { skip: noBrowser }, () => {
  const app = useApp(async () => {
    const demo = await shareDemo()
    // Browsers have no passkeys at addresses of digits.
    return { ...demo, address: demo.address.replace('127.0.0.1', 'localhost') }
  })
  afterEach(() => app.checkTroubles())

  async function givePassword(page: Page): Promise<void> {
    await page.getByLabel('E-mail').fill(app.demo.email)
    await page.locator('input[type=password]').fill(app.demo.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  /** As if everybody had signed in an hour ago, and the next code had come. */
  async function passTime(): Promise<void> {
    const database = await openDatabase({ dataDir: app.demo.dataDir })
    await database.transaction(async (write) => {
      const createdAt = new Date(Date.now() - 3600_000).toISOString()
      await write.updateTable('session').set({ createdAt, provedAt: null }).execute()
      await write.updateTable('second_factor').set({ last_step: null }).execute()
    })
    await database.close()
  }

  test('[WEB-107] given a browser with an authenticator, when a passkey is added, then it completes a sign-in and confirms the identity, and nothing happens without it', async () => {
    const page = await app.open({ isSignedOut: true })
    const client = await page.context().newCDPSession(page)
    await client.send('WebAuthn.enable')
    const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'internal', hasUserVerification: true, isUserVerified: true },
    })
    await signIn(page, app.demo)
    await page.goto('/account/security')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Laptop')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Add the passkey' }).click()
    await page.getByTestId('recovery-codes').waitFor()
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByText('Laptop', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Add the passkey' }).click()
    await page.getByRole('alert').filter({ hasText: 'has a passkey of your account already' }).waitFor()
    await page.keyboard.press('Escape')

    await page.context().clearCookies()
    await page.goto('/sign-in')
    await givePassword(page)
    const use = page.getByRole('button', { name: 'Use a passkey' })
    await use.waitFor()
    await assertAccessible(page)
    const { credentials } = await client.send('WebAuthn.getCredentials', { authenticatorId })
    await client.send('WebAuthn.clearCredentials', { authenticatorId })
    await use.click()
    await page.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor()
    await page.reload()
    await client.send('WebAuthn.addCredential', { authenticatorId, credential: credentials[0]! })
    await use.click()
    await page.getByRole('button', { name: 'Your account' }).waitFor()

    await passTime()
    await page.goto('/account/security')
    await page.getByRole('button', { name: 'Remove Laptop' }).click()
    const confirm = page.getByRole('dialog', { name: /^Remove/ })
    await confirm.getByRole('button', { name: 'Remove', exact: true }).click()
    const identity = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await identity.getByRole('button', { name: 'Use a passkey' }).waitFor()
    await assertAccessible(page)
    await identity.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('Laptop', { exact: true }).waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('[WEB-105, WEB-240] given an account, when an authenticator app is added, then sign-in asks for its code, and sessions elsewhere are listed and ended', async () => {
    const page = await app.open({ isSignedOut: true })
    await page.goto('/account/security')
    await page.getByRole('heading', { name: 'Sign in to Meadow' }).waitFor()
    await signIn(page, app.demo)
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
    await page.getByRole('button', { name: 'Add an authenticator app' }).click()
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    const secret = await page.getByTestId('authenticator-secret').innerText()
    const code = page.getByRole('textbox', { name: 'Code that the app shows' })
    await code.fill('000000')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'code is wrong' }).waitFor()
    await code.fill(codeOf(secret))
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const codes = (await page.getByTestId('recovery-codes').innerText()).split('\n')
    assert.equal(codes.length, 10)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByText('Recovery codes left: 10').waitFor()

    const other = await app.open({ isSignedOut: true })
    await other.goto('/sign-in')
    await givePassword(other)
    const asked = other.getByRole('textbox', { name: 'Code' })
    await asked.waitFor()
    await assertAccessible(other)
    // The step is still there after the page was loaded again.
    await other.reload()
    await asked.fill(codeOf(secret, NEXT_MS))
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('button', { name: 'Your account' }).waitFor()

    await page.reload()
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    await sessions.nth(1).waitFor()
    await sessions.filter({ hasText: 'This one' }).getByText('in use now').waitFor()
    assert.equal(await sessions.getByText('in use now').count(), 1)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'detached' })
    await other.goto('/account')
    await other.getByRole('heading', { name: 'Sign in to Meadow' }).waitFor()

    await givePassword(other)
    await asked.fill(codes[0]!)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Add an authenticator app' }).waitFor()
    await page.context().close()
    await other.context().close()
  })

  test('[WEB-105] given a sign-in of an hour ago, when the user creates a token, then they are asked for their password, and the token is created', async () => {
    const page = await app.open({ isSignedOut: true })
    await signIn(page, app.demo)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'Members' }).click()
    await page.getByRole('table', { name: 'Members' }).waitFor()
    await passTime()
    const create = page.getByRole('button', { name: 'Create link' })
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await create.click()
    await dialog.getByLabel('Your password').fill('not the password')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'password is wrong' }).waitFor()
    await assertAccessible(page)
    await dialog.getByLabel('Your password').fill(app.demo.password)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('/invitation#').waitFor()
    await dialog.waitFor({ state: 'detached' })

    await passTime()
    await create.click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alert').filter({ hasText: 'Confirm that it is you' }).waitFor()
    await page.context().close()
  })
})
