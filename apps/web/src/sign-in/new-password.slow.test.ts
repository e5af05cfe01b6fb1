import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { PASSWORD_FAULTS } from '@meadow/passwords'
import { assertAccessible } from '../testing/assert-accessible.ts'
import { noBrowser } from '../testing/browser.ts'
import { shareDemo } from '../testing/share-demo.ts'
import { useApp } from '../testing/start-app.ts'

describe('the field for a new password', { skip: noBrowser }, () => {
  const app = useApp(shareDemo)
  afterEach(() => app.checkTroubles())

  test('[SIGN-54] given the account page, when a password is typed that the server would refuse, then the field says why, and the list is loaded only then', async () => {
    const page = await app.open({ at: '/account' })
    const loaded: string[] = []
    page.on('response', (response) => {
      if (response.url().includes('/assets/guesses')) loaded.push(response.url())
    })
    const field = page.getByLabel('New password')
    await field.fill('meadow 123')
    await page.getByText(PASSWORD_FAULTS.own_data).waitFor()
    assert.deepEqual(loaded, [])
    await field.fill('P@ssw0rd2024!')
    await page.getByText(PASSWORD_FAULTS.guessable).waitFor()
    assert.equal(loaded.length, 1)
    await assertAccessible(page)
    await field.fill('seventy herons in a field')
    await page.getByText(PASSWORD_FAULTS.guessable).waitFor({ state: 'detached' })
    assert.equal(loaded.length, 1)
    await page.close()
  })
})
