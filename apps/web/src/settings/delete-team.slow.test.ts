import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { assertAccessible } from '../testing/assert-accessible.ts'
import { noBrowser } from '../testing/browser.ts'
import { shareDemo } from '../testing/share-demo.ts'
import { useApp } from '../testing/start-app.ts'

describe('the deletion of a team and of an account', { skip: noBrowser }, () => {
  const app = useApp(shareDemo)
  afterEach(() => app.checkTroubles())

  test('[WEB-123] given the only owner of a team, then their account says why it cannot be deleted; they delete the team by typing its name, read what remains, and restore it', async () => {
    const page = await app.open({ at: '/account' })
    const account = page.getByRole('region', { name: 'Delete your account' })
    await account.getByText('You are the last owner of').waitFor()
    assert.equal(await account.getByRole('button', { name: 'Delete my account…' }).isDisabled(), true)
    await assertAccessible(page)

    await page.goto('/')
    await page.getByRole('link', { name: 'Settings' }).click()
    const name = await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()
    await page.getByRole('button', { name: 'Delete this team…' }).click()
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Delete the team' })
    const typed = dialog.getByRole('textbox')
    await typed.fill(name.slice(0, -1))
    assert.equal(await confirm.isDisabled(), true)
    await typed.fill(name)
    await assertAccessible(page)
    await confirm.click()
    await dialog.getByText('What remains, and until when:').waitFor()
    await dialog.getByText('backups of the service').waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()

    const deleted = page.getByRole('region', { name: 'Deleted teams' })
    await deleted.getByText(name).waitFor()
    await page.getByRole('button', { name: 'Delete my account…' }).and(page.locator(':enabled')).waitFor()
    await assertAccessible(page)
    await deleted.getByRole('button', { name: 'Restore' }).click()
    await deleted.waitFor({ state: 'detached' })
    await page.goto('/')
    await page.getByRole('link', { name: 'Settings' }).waitFor()
    await page.context().close()
  })
})
