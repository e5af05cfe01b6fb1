import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { noBrowser } from './testing/browser.ts'
import { shareDemo } from './testing/share-demo.ts'
import { useEditor, waitForCanvas } from './testing/use-editor.ts'

describe('the keyboard', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  test('[WEB-81] given a user who has no pointer, when they sign in, open a document, add a slider, change it and solve, then all of it works', async () => {
    const { email, password } = app.demo
    await app.make('Without a pointer')
    const page = await app.open({ isSignedOut: true })
    const { keyboard } = page
    /** Presses Tab until the element has the focus. */
    const tabTo = async (target: Locator) => {
      await target.waitFor()
      for (let presses = 0; presses < 60; presses++) {
        if (await target.evaluate((element) => element === document.activeElement)) return
        await keyboard.press('Tab')
      }
      assert.fail(`Tab does not get to ${target}`)
    }
    await page.goto('/sign-in')
    await tabTo(page.getByLabel('E-mail'))
    await keyboard.type(email)
    await keyboard.press('Tab')
    await keyboard.type(password)
    await keyboard.press('Enter')
    await tabTo(page.getByRole('searchbox'))
    await keyboard.type('Without a pointer')
    await tabTo(page.getByRole('search').getByRole('link', { name: /^Without a pointer/ }))
    await keyboard.press('Enter')
    await waitForCanvas(page)
    const palette = page.getByRole('combobox', { name: 'What to add' })
    await keyboard.press('/')
    await palette.waitFor()
    await keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    // It gives the focus back to where it was opened from.
    const more = page.getByRole('button', { name: 'More', exact: true })
    await tabTo(more)
    await keyboard.press('Control+Space')
    await palette.waitFor()
    await keyboard.press('Escape')
    await page.locator('button:focus').and(more).waitFor()
    await keyboard.press('Control+Space')
    await palette.waitFor()
    await keyboard.type('0<5<10')
    await page.getByRole('listbox', { name: 'What to add' }).getByRole('option').first().waitFor()
    await keyboard.press('Enter')
    const node = page.locator('.react-flow__node-slider')
    await tabTo(node)
    await keyboard.press('Enter')
    await keyboard.press('ArrowRight')
    await node.getByText('6', { exact: true }).waitFor()
    await keyboard.press('Escape')
    await tabTo(page.getByRole('button', { name: 'Solve', exact: true }))
    await keyboard.press('Enter')
    await page.getByTitle('What is solved, and what is missing').getByText('Solved').waitFor()
    await page.context().close()
  })
})
