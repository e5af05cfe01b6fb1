import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from './testing/browser.ts'
import { createLook, type Look, recordMotions } from './testing/sights.ts'
import { type OpenOptions, PHONE } from './testing/start-app.ts'
import { startDemo } from './testing/start-demo.ts'
import { type EditorApp, useEditor } from './testing/use-editor.ts'
import { makeSample, walkEditor } from './testing/walk-editor.ts'
import { walkPages } from './testing/walk-pages.ts'

/** Solved when the demo starts; the pictures show it. */
const PICTURED = 'Twisted tower'

const TOUCH_PHONE = { ...PHONE, hasTouch: true, isMobile: true }
const TABLET = { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true }

describe('every page', { skip: noBrowser }, () => {
  const app = useEditor(() => startDemo({ solved: [PICTURED] }))
  afterEach(() => app.checkTroubles())

  /** Runs a walk in which nobody wants motion, and fails with all faults at its end. */
  async function inspect(
    options: OpenOptions,
    walk: (page: Page, look: Look) => Promise<void>,
  ): Promise<void> {
    const { look, faults } = createLook()
    const page = await app.open(options)
    await recordMotions(page)
    await walk(page, look)
    await page.context().close()
    assert.deepEqual(faults, [])
  }

  test('[WEB-10, WEB-11, WEB-72, WEB-73] given every page and dialog around the editor, when it is inspected, then there is no fault', () =>
    inspect({}, walkPages))

  test('[WEB-72, WEB-73] given the editor with each of its dialogs, when it is inspected, then there is no fault', () =>
    inspect({}, async (page, look) => {
      await showDocument(page, look, 'document')
      await page.goto(`/documents/${await makeSample(app)}`)
      await walkEditor(page, look)
    }))

  test('[WEB-72, WEB-73] given a guest, when the pages without a session are inspected, then there is no fault', () =>
    inspect({ isSignedOut: true }, showToGuests))

  test('[WEB-10, WEB-11, WEB-72, WEB-73] given a phone, when every page is inspected, then there is no fault', () =>
    inspect(TOUCH_PHONE, async (page, look) => {
      // The stored pictures are those of a desktop.
      await walkPages(page, (page, name, { isPopup } = {}) => look(page, name, isPopup ? { isPopup } : {}))
      await showDocument(page, look, 'document-phone')
    }))

  test('[WEB-72, WEB-73] given a tablet, when the main pages are inspected, then there is no fault', () =>
    inspect(TABLET, async (page, look) => {
      await page.goto('/')
      await page.getByRole('table', { name: 'Contents' }).waitFor()
      await look(page, 'folder-tablet')
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('tab', { name: 'Members' }).click()
      await page.getByRole('table', { name: 'Members' }).waitFor()
      await look(page, 'members-tablet')
      await showDocument(page, look, 'document-tablet')
    }))

  async function showDocument(page: Page, look: Look, name: string): Promise<void> {
    await page.goto(`/documents/${await app.findDocument(PICTURED)}`)
    await page.locator('.react-flow__node').first().waitFor()
    await page
      .getByText(/^Solved/)
      .first()
      .waitFor()
    await look(page, name, { picture: { dark: name === 'document' } })
  }

  /** Pages that need no session. */
  async function showToGuests(page: Page, look: Look): Promise<void> {
    const id = await app.findDocument(PICTURED)
    await setVisibility(app, id, 'public')
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await look(page, 'sign-in', { picture: {} })
    await page.goto(`/documents/${id}`)
    await page.locator('.react-flow__node').first().waitFor()
    await look(page, 'public', { picture: {} })
    await page.goto(`/embed/${id}`)
    await page.getByRole('link', { name: 'Open in Meadow' }).waitFor()
    await look(page, 'embedded', { picture: {} })
    await setVisibility(app, id, 'private')
  }
})

async function setVisibility(app: EditorApp, id: string, visibility: 'public' | 'private'): Promise<void> {
  const changed = await app.ask(await app.owner(), `/documents/${id}`, {
    method: 'PATCH',
    body: { visibility },
  })
  assert.equal(changed.status, 200)
}
