import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addNodes, createNode } from '@meadow/client/live'
import { noBrowser } from './testing/browser.ts'
import { KINDS } from './testing/kinds.ts'
import { openAndClose, readMemory, watchContexts } from './testing/measure/memory.ts'
import { type Place, visit } from './testing/measure/visits.ts'
import { startDemo } from './testing/start-demo.ts'
import { useEditor } from './testing/use-editor.ts'

/** In KB, compressed, with headers. Today's figures are in docs/web-performance.md: each is less than a tenth below. */
interface Budget {
  scripts: number
  /** Without `images`. */
  all: number
  /** Pictures of documents; other pages have an icon. */
  images?: number
  requests: number
}

const SIGN_IN: Budget = { scripts: 220, all: 250, requests: 15 }
const FOLDER: Budget = { scripts: 265, all: 305, images: 60, requests: 40 }
const REFERENCE: Budget = { scripts: 5, all: 33, requests: 5 }
/** With the compact geometry of the demo's tower. */
const PLAYER: Budget = { scripts: 270, all: 400, requests: 20 }
const DOCUMENT: Budget = { scripts: 560, all: 620, requests: 52 }
/** With the sight of the demo's tower, whose exact geometry has 1.8 MB. */
const LARGE_DOCUMENT: Budget = { scripts: 560, all: 725, requests: 56 }

/** The page's icon. */
const ICON = 2

const TOWER = 'Twisted tower'

/** The 3D view, once it shows something. */
const DRAWN = 'canvas[data-visible]:not([data-visible="0"])'

describe('budgets', { skip: noBrowser }, () => {
  const app = useEditor(() => startDemo({ solved: [TOWER] }))
  afterEach(() => app.checkTroubles())

  const makeSphere = (name: string) =>
    app.make(name, (doc) => addNodes(doc, [createNode(KINDS.sphere, { position: { x: 0, y: 0 } })]))

  test('[WEB-15, WEB-75, WEB-167] given a browser with empty caches, when a page is visited for the first time, then its bytes and requests are within the budget', async () => {
    const person = await app.owner()
    const id = await makeSphere('Visited')
    await app.ask(person, `/documents/${id}`, { method: 'PATCH', body: { visibility: 'public' } })
    const team = `/teams/${person.me.teams[0]!.id}`
    const tower = await app.findDocument(TOWER)
    // Otherwise its player computes what the server has not stored yet.
    await app.solve(tower)
    const places: [Place, Budget][] = [
      [{ name: 'player', path: `/play/${tower}`, seen: '[data-drawn]', person }, PLAYER],
      [{ name: '/docs', path: '/docs', seen: 'h1' }, REFERENCE],
      [{ name: 'sign-in', path: '/sign-in', seen: 'form' }, SIGN_IN],
      [{ name: 'folder', path: team, seen: 'table', person }, FOLDER],
      [{ name: 'document', path: `/documents/${id}`, seen: '.react-flow__node', person }, DOCUMENT],
      [{ name: 'tower', path: `/documents/${tower}`, seen: DRAWN, person }, LARGE_DOCUMENT],
      [{ name: 'public page', path: `/documents/${id}`, seen: '.react-flow__node' }, DOCUMENT],
    ]
    for (const [place, budget] of places) {
      const page = await app.open({ isSignedOut: true })
      const { requests, bytes, scriptBytes, imageBytes } = await visit(
        page.context().browser()!,
        app.demo.address,
        place,
        false,
      )
      const found = {
        ...{ scripts: scriptBytes / 1000, all: (bytes - imageBytes) / 1000 },
        ...{ images: imageBytes / 1000, requests },
      }
      for (const [name, limit] of Object.entries({ images: ICON, ...budget })) {
        const value = found[name as keyof Budget]
        assert.ok(value <= limit, `${place.name}: ${name} ${value} of ${limit}`)
      }
      assert.ok(found.all > found.scripts && found.all > 20)
      await page.context().close()
    }
  })

  test('[WEB-373] given a document, when nobody has touched its page, then menus and the list of components are not loaded, and they are at the first move of the pointer', async () => {
    const id = await makeSphere('Untouched')
    const page = await app.open({ viewport: { width: 1200, height: 700 } })
    const late: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/\/palette$|graph-panels.*\.js$/.test(pathname)) late.push(pathname)
    })
    await page.goto(`/documents/${id}`)
    await page.locator('.react-flow__node').waitFor()
    await page.waitForLoadState('networkidle')
    assert.deepEqual(late, [])
    const areAsked = ['**/app/v1/palette', /graph-panels.*\.js$/].map((each) => page.waitForRequest(each))
    await page.mouse.move(300, 300)
    await Promise.all(areAsked)
    await page.context().close()
  })

  test('[WEB-360] given a document with much geometry, when it is shown, then its sight is loaded, and the exact geometry once somebody measures or picks', async () => {
    const page = await app.open({ viewport: { width: 1200, height: 700 } })
    const details: (string | null)[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname.endsWith('/scene')) details.push(url.searchParams.get('detail'))
    })
    await page.goto(`/documents/${await app.findDocument(TOWER)}`)
    const canvas = page.getByLabel(/^The geometry of the solution/)
    await page.locator(DRAWN).waitFor()
    await page.waitForLoadState('networkidle')
    assert.deepEqual(details, ['sight'])
    await canvas.focus()
    await page.keyboard.press('m')
    await page.locator('canvas[data-exact]').waitFor()
    assert.deepEqual(details, ['sight', null])
    const panel = page.getByRole('group', { name: 'Measure' })
    const { width, height } = (await canvas.boundingBox())!
    await canvas.click({ position: { x: width / 2, y: height / 2 } })
    await panel.getByText('Pick the second point.').waitFor()
    await page.context().close()
  })

  test('[WEB-80] given ten documents that were opened and closed, when what nobody uses is collected, then elements, listeners and WebGL contexts are as before', async () => {
    const names = ['One sphere', 'Another sphere']
    for (const name of names) await makeSphere(name)
    const page = await app.open({ viewport: { width: 900, height: 500 } })
    await watchContexts(page)
    await page.goto('/')
    const devTools = await page.context().newCDPSession(page)
    const list = (count: number) => Array.from({ length: count }, (_, index) => names[index % 2]!)
    // The first ones load code and fill caches.
    await openAndClose(page, list(4))
    const before = await readMemory(page, devTools)
    await openAndClose(page, list(10))
    const after = await readMemory(page, devTools)
    // One editor has hundreds of elements and listeners.
    assert.ok(after.elements - before.elements < 40, `${before.elements} elements became ${after.elements}`)
    assert.ok(
      after.listeners - before.listeners < 20,
      `${before.listeners} listeners became ${after.listeners}`,
    )
    assert.ok(after.webGl <= 1, `${after.webGl} WebGL contexts are open`)
    await page.context().close()
  })
})
