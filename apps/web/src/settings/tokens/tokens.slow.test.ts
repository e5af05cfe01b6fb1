import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../../testing/assert-accessible.ts'
import { noBrowser } from '../../testing/browser.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { PHONE, useApp } from '../../testing/start-app.ts'

const DAY_MS = 86_400_000

describe('API tokens in the team settings', { skip: noBrowser }, () => {
  const app = useApp(shareDemo)
  afterEach(() => app.checkTroubles())

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const statusOf = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}` }
    return (await fetch(`${app.demo.address}/api/v1/team`, { headers })).status
  }
  const openTokens = async () => {
    const page = await app.open()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'API tokens' }).click()
    await page.getByRole('table', { name: 'API tokens' }).waitFor()
    return page
  }
  const choose = async (page: Page, label: string, option: string) => {
    await page.getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  const readSecret = async (page: Page) => (await page.getByTestId('secret').textContent())!.trim()
  const finish = async (page: Page) => {
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  test('[WEB-106, WEB-245] given a policy, when an owner makes a service token with addresses, uses and replaces it, then the list says so, and the secret is shown though the old one has ended', async () => {
    const page = await openTokens()
    await page.getByRole('button', { name: 'Change the policy' }).click()
    await choose(page, 'The longest life of a token', '30 days')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Save the policy' }).click()
    await page.getByText('The policy holds.').waitFor()
    await finish(page)
    await page.getByText('Tokens last 30 days at most.').waitFor()

    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Build server')
    await page.getByRole('radio', { name: /^The team’s/ }).click()
    await page.getByRole('textbox', { name: 'Addresses' }).fill('no address')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('alert').filter({ hasText: 'address' }).waitFor()
    await page.getByRole('textbox', { name: 'Addresses' }).fill('127.0.0.1, 10.0.0.0/8')
    await page.getByRole('button', { name: 'Create token' }).click()
    const secret = await readSecret(page)
    await finish(page)
    assert.equal(await statusOf(secret), 200)
    await page.reload()
    const row = rowOf(page, 'Build server')
    await row.getByText('service', { exact: true }).waitFor()
    await row.getByText('only from 127.0.0.1, 10.0.0.0/8').waitFor()
    await row.getByText('from 127.0.0.1', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Replace Build server' }).click()
    await page.getByRole('radio', { name: 'at once' }).click()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Create the new token' }).click()
    const next = await readSecret(page)
    await rowOf(page, 'another token takes its place').getByText('expired').waitFor({ state: 'attached' })
    assert.equal(await readSecret(page), next)
    await finish(page)
    assert.deepEqual([await statusOf(secret), await statusOf(next)], [401, 200])
    // Away from the times, whose tooltips are in no landmark.
    await page.mouse.move(0, 0)
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await assertAccessible(page)
    await page.setViewportSize(PHONE.viewport)
    for (const action of ['Replace', 'Revoke']) {
      const button = page.getByRole('button', { name: new RegExp(`^${action} Build server`) }).first()
      const { x, width } = (await button.boundingBox())!
      assert.ok(x >= 0 && x + width <= PHONE.viewport.width, `[WEB-245] ${action} is at ${x}`)
    }
    await assertAccessible(page)
    await page.context().close()
  })

  test('[WEB-106] given a token with its last day, when that day is near, then the list announces it, and its table has the end', async () => {
    const page = await openTokens()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Exhibition')
    await choose(page, 'Expires', 'at the end of a day')
    const lastDay = new Date(Date.now() + 20 * DAY_MS).toISOString().slice(0, 10)
    await page.getByLabel('Last day').fill(lastDay)
    await page.getByRole('button', { name: 'Create token' }).click()
    await readSecret(page)
    await finish(page)
    assert.equal(await page.getByText('ends soon').count(), 0)
    await page.clock.setSystemTime(Date.now() + 16 * DAY_MS)
    await page.reload()
    await page.getByRole('alert').filter({ hasText: '“Exhibition” ends in' }).waitFor()
    await assertAccessible(page)
    await page.context().close()
  })
})
