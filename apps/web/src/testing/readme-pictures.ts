import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startBrowser } from './browser.ts'
import { signIn } from './start-app.ts'
import { type Demo, startDemo } from './start-demo.ts'

/*
 * Takes the pictures of the README, in docs/images: `npm run pictures:readme`. The README shows them about 830 pixels
 * wide; the window is little wider, so that names can be read there. Look at them before you commit them.
 */

const FOLDER = fileURLToPath(new URL('../../../../docs/images', import.meta.url))
const WINDOW: BrowserContextOptions = {
  viewport: { width: 1000, height: 620 },
  deviceScaleFactor: 1.5,
  colorScheme: 'light',
  reducedMotion: 'reduce',
}
/** Finds documents in all states. */
const SEARCHED = 'c'
const SHOWN_LAST = 'Acoustic ceiling'
/** Of the demo: it has much to look at. */
const DOCUMENT = 'Twisted tower'
/** What is shown larger, as a part of the canvas: names of its nodes are then as large as text. */
const SHOWN = { x: 0.38, y: 0.5 }
const ZOOM = 0.95
/** Geometry is drawn in software. */
const SETTLED_MS = 4000

async function openPage(browser: Browser, demo: Demo): Promise<Page> {
  const context = await browser.newContext({ ...WINDOW, baseURL: demo.address })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  await signIn(page, demo)
  return page
}

/** Documents of the demo by name, once all of them are solved. */
async function listDocuments({ address, token }: Demo): Promise<Map<string, string>> {
  const read = (path: string) =>
    fetch(`${address}/api/v1${path}`, { headers: { authorization: `Bearer ${token}`, prefer: 'wait=30' } })
  const { documents } = (await (await read('/documents')).json()) as {
    documents: { id: string; name: string }[]
  }
  for (const { id } of documents) while ((await read(`/documents/${id}/solution`)).status === 202);
  return new Map(documents.map(({ id, name }) => [name, id]))
}

async function takeFolders(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('searchbox').fill(SEARCHED)
  await page.getByRole('link', { name: SHOWN_LAST }).first().waitFor()
  await page.screenshot({ path: `${FOLDER}/folders.png` })
}

const readZoom = (page: Page): Promise<number> =>
  page
    .locator('.react-flow__viewport')
    .evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a)

async function takeEditor(page: Page, documentId: string): Promise<void> {
  await page.goto(`/documents/${documentId}`)
  await page.locator('.react-flow__node').first().waitFor()
  await page.waitForLoadState('networkidle')
  const pane = (await page.locator('.react-flow__pane').boundingBox())!
  await page.mouse.move(pane.x + pane.width * SHOWN.x, pane.y + pane.height * SHOWN.y)
  while ((await readZoom(page)) < ZOOM) {
    await page.mouse.wheel(0, -20)
    await page.waitForTimeout(100)
  }
  await page.mouse.move(pane.x + pane.width - 2, pane.y + 2)
  await page.waitForTimeout(SETTLED_MS)
  await page.screenshot({ path: `${FOLDER}/editor.png` })
}

const [browser, demo] = await Promise.all([startBrowser({ isSmooth: true }), startDemo()])
try {
  const documents = await listDocuments(demo)
  const page = await openPage(browser, demo)
  await takeFolders(page)
  await takeEditor(page, documents.get(DOCUMENT)!)
} finally {
  await browser.close()
  await demo.stop()
}
