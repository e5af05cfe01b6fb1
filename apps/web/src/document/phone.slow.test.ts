import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addNodes, connect, createNode, type Node } from '@meadow/client/live'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../testing/assert-accessible.ts'
import { noBrowser } from '../testing/browser.ts'
import { KINDS } from '../testing/kinds.ts'
import { createScripted } from '../testing/scripted.ts'
import { shareDemo } from '../testing/share-demo.ts'
import { useEditor } from '../testing/use-editor.ts'

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }
const SIZES = [
  [360, 640],
  [390, 844],
  [768, 1024],
  [1280, 800],
  [1920, 1000],
] as const

/** The least width and height of what a finger hits, in CSS pixels. */
const FINGER = 44

describe('the document page on a phone', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  /** A document with a script and a warning. */
  const makePartial = (name: string) =>
    app.make(name, (doc) => {
      const lonely = createNode(KINDS.divideCurve, { position: { x: 0, y: 200 } })
      addNodes(doc, [...createScripted('Relaxation'), lonely])
    })

  /** The boxes of all controls of the header. */
  const readControls = (page: Page) =>
    page.getByRole('banner').evaluate((header) =>
      [...header.querySelectorAll<HTMLElement>('a, button, label')].map((control) => {
        const { left, top, right, bottom } = control.getBoundingClientRect()
        return { name: control.innerText || control.ariaLabel, left, top, right, bottom }
      }),
    )

  test('[WEB-45] given screens of all sizes, when a document is opened, then nothing of its header is cut off, and fingers hit every control', async () => {
    const page = await app.show(await makePartial('Of all sizes'), PHONE)
    await page.getByText(/^Partial: /).waitFor()
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      for (const control of await readControls(page)) {
        const { name, left, top, right, bottom } = control
        assert.ok(left >= 0 && top >= 0 && right <= width, `${name} at ${width}: ${JSON.stringify(control)}`)
        assert.ok(right - left >= FINGER, `${name} at ${width} is ${right - left} wide`)
        const least = name === 'Graph' || name === 'Both' || name === '3D' ? FINGER - 4 : FINGER
        assert.ok(bottom - top >= least, `${name} at ${width} is ${bottom - top} high`)
      }
      const needed = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(needed <= width, `the page is ${needed} wide`)
    }
    await page.context().close()
  })

  test('[WEB-44, WEB-45, WEB-47] given a partial solution on a phone, when a designer taps, then state, export, script, help and geometry are reached, and say what is missing', async () => {
    const page = await app.show(await makePartial('Tapped'), PHONE)
    await page.getByRole('region', { name: 'Geometry' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Partial: \d+ of \d+ nodes/ }).tap()
    const panel = page.getByRole('complementary', { name: 'State' })
    await panel.getByText('Scripts are not run').waitFor()
    await assertAccessible(page)
    await panel.getByRole('button', { name: 'Relaxation' }).tap()
    await page.locator('.react-flow__node.selected').filter({ hasText: 'Relaxation' }).waitFor()
    await page.getByRole('button', { name: 'More' }).tap()
    await page.getByRole('menuitem', { name: 'Models hold only what is solved.' }).waitFor()
    await page.getByRole('menuitem', { name: 'Script' }).tap()
    await page.getByRole('dialog').getByText('Scripts read what is solved.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap()
    await page.getByRole('button', { name: 'More' }).tap()
    await page.getByRole('menuitem', { name: 'Keys and gestures' }).tap()
    const help = page.getByRole('dialog')
    await help.getByRole('table', { name: 'Touch' }).waitFor()
    const last = help.getByRole('row').last()
    await last.scrollIntoViewIfNeeded()
    const { y, height } = (await last.boundingBox())!
    assert.ok(y > 0 && y + height <= PHONE.viewport.height, `the last row is at ${y}`)
    await help.getByRole('button', { name: 'Close' }).tap()
    await page.getByText('3D', { exact: true }).tap()
    await page.getByRole('region', { name: 'Geometry' }).waitFor()
    assert.equal(await page.getByRole('region', { name: 'Graph' }).count(), 0)
    await page.context().close()
  })

  test('[WEB-46] given a touch screen, when fingers drag, pinch and tap, then the canvas moves and zooms, and palette and menu open', async () => {
    const page = await app.show(await app.make('By touch'), PHONE)
    const device = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number }[]) =>
      device.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((at, id) => ({ ...at, id })) })
    const readView = async () => {
      const style = await page.locator('.react-flow__viewport').getAttribute('style')
      const [x, y, zoom] = [...style!.matchAll(/-?[\d.]+(?=px|\))/g)].map(Number)
      return { x: x!, y: y!, zoom: zoom! }
    }
    const at = { x: 180, y: 300 }
    const before = await readView()
    await touch('touchStart', at)
    for (const step of [20, 40, 60]) await touch('touchMove', { x: at.x + step, y: at.y + step })
    await touch('touchEnd')
    const moved = await readView()
    assert.deepEqual(moved, { x: before.x + 60, y: before.y + 60, zoom: before.zoom })
    await touch('touchStart', { x: 160, y: 300 }, { x: 200, y: 300 })
    for (const step of [10, 20, 30])
      await touch('touchMove', { x: 160 - step, y: 300 }, { x: 200 + step, y: 300 })
    await touch('touchEnd')
    const { zoom } = await readView()
    assert.ok(zoom > 2 * moved.zoom, `the zoom was ${moved.zoom} and is ${zoom}`)
    for (const _ of ['first', 'second']) {
      await touch('touchStart', at)
      await touch('touchEnd')
    }
    const palette = page.getByRole('combobox', { name: 'What to add' })
    await palette.fill('0<3<10')
    await page.getByRole('option').first().tap()
    const slider = page.locator('.react-flow__node-slider')
    await slider.waitFor()
    const { x, y } = (await slider.boundingBox())!
    await touch('touchStart', { x: x + 8, y: y + 6 })
    const menu = page.getByRole('menuitem', { name: 'Rename' })
    await menu.waitFor()
    await touch('touchEnd')
    await menu.tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).tap()
    await page.getByRole('button', { name: 'Undo' }).tap()
    await slider.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('[WEB-46] given a graph that is too far away for elements, when a finger touches and holds a node, then its menu opens', async () => {
    const columns = 13
    const id = await app.make('Far away', (doc) =>
      addNodes(
        doc,
        Array.from({ length: columns ** 2 }, (_, index) =>
          createNode(KINDS.panel, {
            position: { x: 300 * (index % columns), y: 300 * Math.floor(index / columns) },
          }),
        ),
      ),
    )
    const page = await app.show(id, PHONE)
    const map = page.locator('.react-flow__viewport')
    await map.locator('canvas').first().waitFor({ state: 'attached' })
    const device = await page.context().newCDPSession(page)
    const { x, y } = await map.evaluate((element) => {
      const { m41, m42, a } = new DOMMatrix(getComputedStyle(element).transform)
      const pane = element.closest('.react-flow')!.getBoundingClientRect()
      // A panel in the middle of the graph.
      return { x: pane.x + m41 + a * (6 * 300 + 40), y: pane.y + m42 + a * (6 * 300 + 20) }
    })
    await device.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    await device.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await page.context().close()
  })

  test('[WEB-44] given a document that cannot be solved, when its state is chosen in a search, then the document opens with the reason and the nodes', async () => {
    const [depth, side] = ['Depth', 'Side'].map((nickName, index) =>
      createNode(KINDS.addition, { position: { x: 200 * index, y: 0 }, nickName }),
    ) as [Node, Node]
    const id = await app.make('Circular basin', (doc) => {
      addNodes(doc, [depth, side])
      for (const [from, to] of [
        [depth, side],
        [side, depth],
      ] as const)
        connect(doc, {
          from: { nodeInstanceId: from.instanceId, portInstanceId: Object.keys(from.outputs)[0]! },
          to: { nodeInstanceId: to.instanceId, portInstanceId: Object.keys(to.inputs)[0]! },
        })
    })
    const first = await app.show(id)
    await first.getByText('Solve failed', { exact: true }).waitFor()
    await first.goto('/')
    await first.getByRole('searchbox').fill('basin')
    await first.getByRole('search').getByRole('link', { name: 'Solve failed' }).click()
    const panel = first.getByRole('complementary', { name: 'State' })
    const reason = panel.getByRole('alert')
    await reason.getByText(/^The wires of the document run in a circle, through /).waitFor()
    assert.doesNotMatch((await reason.textContent())!, /[\da-f]{8}-[\da-f]{4}-/)
    await panel.getByRole('button', { name: 'Solve again' }).waitFor()
    await assertAccessible(first)
    await reason.getByRole('button', { name: 'Depth' }).click()
    await first.locator('.react-flow__node.selected').filter({ hasText: 'Depth' }).waitFor()
    assert.equal(new URL(first.url()).hash, '')
    await first.context().close()
  })
})
