import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from './testing/browser.ts'
import { inspect, type Look } from './testing/sights.ts'
import { TOUCH, TOUCH_PHONE } from './testing/start-app.ts'
import { startDemo } from './testing/start-demo.ts'
import { useEditor } from './testing/use-editor.ts'
import { waitForTriangles } from './testing/watch-drawing.ts'

/** Solved when the demo starts; the pictures show it. */
const PICTURED = 'Sun shading louvres'

/** Triangles: fewer than those of the pictured document. */
const SOME = 100

const TABLET = { viewport: { width: 820, height: 1180 }, ...TOUCH }

describe('the main pages with a solved document', { skip: noBrowser }, () => {
  const app = useEditor(() => startDemo({ solved: [PICTURED] }))
  afterEach(() => app.checkTroubles())

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

  test('[WEB-72, WEB-73] given a solved document, when it is inspected, then there is no fault', () =>
    inspect(app, {}, (page, look) => showDocument(page, look, 'document')))

  test('[WEB-72, WEB-73] given a phone, when a solved document is inspected, then there is no fault', () =>
    // The graph is shown alone.
    inspect(
      app,
      { ...TOUCH_PHONE, drawsGeometry: false },
      (page, look) => showDocument(page, look, 'document-phone'),
      { onlyLight: true },
    ))

  test('[WEB-72, WEB-73] given a tablet, when the main pages are inspected, then there is no fault', () =>
    inspect(
      app,
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
      { onlyLight: true },
    ))

  test('[WEB-72, WEB-73] given a guest, when the pages without a session are inspected, then there is no fault', async () => {
    const id = await app.findDocument(PICTURED)
    const body = { visibility: 'public' }
    const changed = await app.ask(await app.owner(), `/documents/${id}`, { method: 'PATCH', body })
    assert.equal(changed.status, 200)
    await inspect(app, { isSignedOut: true }, async (page, look) => {
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
    })
  })
})
