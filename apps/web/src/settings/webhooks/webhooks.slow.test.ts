import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, test } from 'node:test'
import { assertAccessible } from '../../testing/assert-accessible.ts'
import { noBrowser } from '../../testing/browser.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { useApp } from '../../testing/start-app.ts'

describe('webhooks in the team settings', { skip: noBrowser }, () => {
  const app = useApp(shareDemo)
  afterEach(() => app.checkTroubles())

  test('[WEB-130] given an owner, when they add a webhook, send tests to a receiver that fails and then works, replace its secret, disable and remove it, then the page shows each', async (t) => {
    let status = 500
    const ids: unknown[] = []
    const receiver = createServer((request, response) => {
      ids.push(request.headers['webhook-id'])
      response.writeHead(status).end('seen')
    })
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    t.after(() => receiver.close())
    const owner = await app.owner()
    const folders = `/folders/${owner.me.teams[0]!.rootFolderId}/folders`
    await app.ask(owner, folders, { method: 'POST', body: { name: 'Massing' } })
    const page = await app.open()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'Webhooks' }).click()
    await page.getByText('There are no webhooks yet.').waitFor()
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Build server')
    await page.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByRole('alert').filter({ hasText: 'not public' }).waitFor()
    const { port } = receiver.address() as AddressInfo
    await page.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${port}/meadow`)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const readSecret = async () => (await page.getByTestId('secret').textContent())!.trim()
    const secret = await readSecret()
    assert.match(secret, /^whsec_/)
    const finish = async () => {
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await finish()
    await page.getByRole('button', { name: 'Send a test: Build server' }).click()
    const log = page.getByRole('table', { name: 'Deliveries to Build server' })
    await log.getByText('The receiver answered 500. It has to answer 200 to 299.').waitFor()
    status = 204
    await log.getByRole('button', { name: /^Deliver again: msg_/ }).click()
    await log.getByText('delivered', { exact: true }).waitFor()
    assert.equal(new Set(ids).size, 1)
    await page.getByRole('button', { name: 'Deliver failed again' }).click()
    await page.getByText('0 are delivered again.').waitFor()
    await page.mouse.move(0, 0)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Show the secret: Build server' }).click()
    assert.equal(await readSecret(), secret)
    await finish()
    await page.getByRole('button', { name: 'New secret: Build server' }).click()
    await page.getByRole('radio', { name: 'For an hour' }).click()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Create the new secret' }).click()
    await page.getByTestId('secret').waitFor()
    assert.notEqual(await readSecret(), secret)
    await finish()
    await page.getByRole('button', { name: 'Change: Build server' }).click()
    await page.getByRole('radio', { name: 'Only of one folder' }).click()
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled())
    await page.getByRole('combobox', { name: 'Folder' }).fill('Massing')
    await page.getByRole('option', { name: /Massing$/ }).click()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Only in: “Massing” and below').waitFor()
    await page.getByRole('button', { name: 'Disable: Build server' }).click()
    await page.getByText('disabled', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove Build server' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('There are no webhooks yet.').waitFor()
  })
  test('[WEB-250] given dialogs that are made when they are opened, when they are closed or saved, then what opened them has the focus', async () => {
    const page = await app.open()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'Webhooks' }).click()
    const dialog = page.getByRole('dialog')
    const closed = () => dialog.waitFor({ state: 'detached' })
    const add = page.getByRole('button', { name: 'New webhook' })
    await add.click()
    await page.keyboard.press('Escape')
    await closed()
    await page.locator('button:focus', { hasText: 'New webhook' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Seen once')
    await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/meadow')
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    // The dialog with the secret takes the place of the form.
    await dialog.getByTestId('secret').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await closed()
    await page.locator('button:focus', { hasText: 'New webhook' }).waitFor()
  })
})
