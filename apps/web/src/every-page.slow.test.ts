import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addNodes } from '@meadow/client/live'
import type { Locator, Page } from 'playwright-core'
import { noBrowser } from './testing/browser.ts'
import { createRows } from './testing/measure/graphs.ts'
import { createLook, type Inspections, type Look, recordMotions } from './testing/sights.ts'
import { type OpenOptions, PHONE } from './testing/start-app.ts'
import { startDemo } from './testing/start-demo.ts'
import { type EditorApp, useEditor, waitForCanvas } from './testing/use-editor.ts'
import { makeSample, walkEditor } from './testing/walk-editor.ts'
import { walkPages } from './testing/walk-pages.ts'
import { waitForTriangles, watchDrawing } from './testing/watch-drawing.ts'

/** Solved when the demo starts; the pictures show it. */
const PICTURED = 'Sun shading louvres'

/** Triangles: fewer than those of the pictured document. */
const SOME = 100

const TOUCH = { hasTouch: true, isMobile: true }
/** The graph is shown alone. */
const TOUCH_PHONE = { ...PHONE, ...TOUCH, drawsGeometry: false }
const TABLET = { viewport: { width: 820, height: 1180 }, ...TOUCH }

describe('every page', { skip: noBrowser }, () => {
  const app = useEditor(() => startDemo({ solved: [PICTURED] }))
  afterEach(() => app.checkTroubles())

  /** Runs a walk in which nobody wants motion, and fails with all faults at its end. */
  async function inspect(
    options: OpenOptions,
    walk: (page: Page, look: Look) => Promise<void>,
    inspections?: Inspections,
  ): Promise<void> {
    const { look, faults } = createLook(inspections)
    const page = await app.open({ at: 'about:blank', ...options })
    await Promise.all([recordMotions(page), watchDrawing(page)])
    await walk(page, look)
    await page.context().close()
    assert.deepEqual(faults, [])
  }

  test('[WEB-10, WEB-11, WEB-72, WEB-73] given every page and dialog around the editor, when it is inspected, then there is no fault', () =>
    inspect({}, walkPages))

  test('[WEB-72, WEB-73] given a solved document, when it is inspected, then there is no fault', () =>
    inspect({}, (page, look) => showDocument(page, look, 'document')))

  test('[WEB-72] given the editor with each of its dialogs, when it is inspected, then there is no fault', () =>
    inspect({ drawsGeometry: false }, async (page, look) => {
      await page.goto(`/documents/${await makeSample(app)}`)
      await walkEditor(page, look)
    }))

  test('[WEB-72, WEB-73] given a guest, when the pages without a session are inspected, then there is no fault', () =>
    inspect({ isSignedOut: true }, showToGuests))

  test('[WEB-10, WEB-11, WEB-72, WEB-73] given a phone, when every page is inspected, then there is no fault', () =>
    inspect(
      TOUCH_PHONE,
      async (page, look) => {
        // The stored pictures are those of a desktop.
        await walkPages(page, (page, name, { isPopup } = {}) => look(page, name, isPopup ? { isPopup } : {}))
        await showDocument(page, look, 'document-phone')
      },
      { onlyPages: true },
    ))

  test('[WEB-72, WEB-73] given a tablet, when the main pages are inspected, then there is no fault', () =>
    inspect(
      TABLET,
      async (page, look) => {
        await page.goto('/')
        await page.getByRole('table', { name: 'Contents' }).waitFor()
        await look(page, 'folder-tablet')
        await page.getByRole('link', { name: 'Settings' }).click()
        await page.getByRole('tab', { name: 'Members' }).click()
        await page.getByRole('table', { name: 'Members' }).waitFor()
        await look(page, 'members-tablet')
        await showDocument(page, look, 'document-tablet')
      },
      { onlyPages: true },
    ))

  test('[WEB-80] given a graph that is large enough for an overview map, when the user goes back to the folder, then the folder is shown', async () => {
    const id = await app.make('Mapped', (doc) => addNodes(doc, createRows(100)))
    const page = await app.show(id, { drawsGeometry: false })
    await page.locator('[data-overview]').waitFor()
    await page.getByRole('link', { name: 'Back to the folder' }).click()
    await page.getByRole('table', { name: 'Contents' }).waitFor()
    await page.context().close()
  })

  test('[WEB-81] given a user who has no pointer, when they sign in, open a document, add a slider, change it and solve, then all of it works', async () => {
    const { email, password } = app.demo
    await app.make('Without a pointer')
    const page = await app.open({ isSignedOut: true, drawsGeometry: false })
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
    await keyboard.press('/')
    await page.getByRole('combobox', { name: 'What to add' }).waitFor()
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

  async function showDocument(page: Page, look: Look, name: string): Promise<void> {
    await page.goto(`/documents/${await app.findDocument(PICTURED)}`)
    await page.locator('.react-flow__node').first().waitFor()
    await page
      .getByText(/^Solved/)
      .first()
      .waitFor()
    if (name !== 'document-phone') await waitForTriangles(page, SOME)
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
    await waitForTriangles(page, SOME)
    await look(page, 'public', { picture: {} })
    await page.goto(`/embed/${id}`)
    await page.getByRole('link', { name: 'Open in Meadow' }).waitFor()
    await waitForTriangles(page, SOME)
    await look(page, 'embedded', { picture: {} })
    await page.goto('/docs')
    await page.getByRole('heading').first().waitFor()
    await look(page, 'docs', { picture: { mask: [page.locator('code', { hasText: app.demo.address })] } })
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
