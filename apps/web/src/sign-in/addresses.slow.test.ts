import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { createSuiteScope } from '../../../server/src/testing/at-end.ts'
import { findFreePort } from '../../../server/src/testing/find-free-port.ts'
import {
  mailVariables,
  type ReceivedMail,
  startSmtpServer,
  type TestSmtpServer,
} from '../../../server/src/testing/smtp-server.ts'
import { assertAccessible } from '../testing/assert-accessible.ts'
import { noBrowser } from '../testing/browser.ts'
import { signIn, useApp } from '../testing/start-app.ts'
import { startDemo } from '../testing/start-demo.ts'

const NEW_PASSWORD = 'a quite new password'

describe('mails of the web app', { skip: noBrowser }, () => {
  let smtp: TestSmtpServer
  let seen = 0
  const app = useApp(async () => {
    smtp = await startSmtpServer(scope)
    const port = await findFreePort()
    const address = `http://127.0.0.1:${port}`
    const env = { ...mailVariables(smtp), MEADOW_PORT: String(port), MEADOW_BASE_URL: address }
    return startDemo({ env, solved: [] })
  })
  // After the server, whose open connection the mail server would wait for.
  const scope = createSuiteScope()
  afterEach(() => app.checkTroubles())

  const nextMail = async (): Promise<ReceivedMail> => (await smtp.received(++seen))[seen - 1]!

  const linkIn = ({ text }: ReceivedMail): string => /http:\S+#\S+/.exec(text!)![0]

  test('[WEB-120] given an owner, when they invite somebody by mail, then that person joins with a confirmed address, and changes it by another mail', async () => {
    const owner = await app.open()
    await owner.getByRole('link', { name: 'Settings' }).click()
    await owner.getByRole('tab', { name: 'Members' }).click()
    await owner.getByLabel('E-mail').fill('ben@example.org')
    await owner.getByRole('button', { name: 'Send invitation' }).click()
    await owner.getByText('The invitation is mailed to ben@example.org.').waitFor()
    await assertAccessible(owner)
    const invitation = await nextMail()
    assert.deepEqual(invitation.recipients, ['ben@example.org'])
    const page = await app.open({ isSignedOut: true })
    await page.goto(linkIn(invitation))
    assert.equal(await page.getByLabel('E-mail').inputValue(), 'ben@example.org')
    await page.getByLabel('Your name').fill('Ben')
    await page.locator('input[type=password]').fill('the password of ben')
    await page.getByRole('button', { name: 'Create account and join' }).click()
    await page.getByRole('table', { name: 'Contents' }).waitFor()
    await page.goto('/account')
    await page.getByLabel('New address').waitFor()
    assert.equal(await page.getByText('Nobody has shown yet').count(), 0)
    await page.getByLabel('New address').fill('ben@new.example.org')
    await page.getByRole('button', { name: 'Change the address' }).click()
    await page.getByText('A link is on its way to ben@new.example.org.').waitFor()
    await assertAccessible(page)
    await page.goto(linkIn(await nextMail()))
    await page.getByRole('button', { name: 'Confirm the address' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Confirm the address' }).click()
    await page.getByText('ben@new.example.org is confirmed.').waitFor()
    assert.deepEqual((await nextMail()).recipients, ['ben@example.org'])
    await page.context().close()
    await owner.context().close()
  })

  test('[WEB-121] given a forgotten password, when the link in the mail is opened, then a new one is set, and the link works once', async () => {
    const page = await app.open({ isSignedOut: true })
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    // The sign-in page has a field of the same name, and stays until this page is loaded.
    await page.getByRole('button', { name: 'Send the link' }).waitFor()
    await page.getByLabel('E-mail').fill(app.demo.email)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('a mail is on its way').waitFor()
    const link = linkIn(await nextMail())
    await page.goto(link)
    await page.locator('input[type=password]').fill(NEW_PASSWORD)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('The password is set').waitFor()
    assert.equal((await nextMail()).subject, 'Your password was changed')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, { email: app.demo.email, password: NEW_PASSWORD })
    await page.goto('/account')
    await page.goto(link)
    await page.locator('input[type=password]').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByRole('alert').filter({ hasText: 'This link was used' }).waitFor()
    await assertAccessible(page)
    await page.context().close()
  })
})
