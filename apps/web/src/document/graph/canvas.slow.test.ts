import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addGroup, addNodes, createNode, type Node } from '@meadow/client/live'
import type { GraphContent } from '@meadow/contract'
import type { Page } from 'playwright-core'
import { createDefinitionFile } from '../../../../server/src/testing/definition-file.ts'
import { until } from '../../../../server/src/testing/until.ts'
import { noBrowser } from '../../testing/browser.ts'
import { createGroupedGraph } from '../../testing/grouped-graph.ts'
import { KINDS } from '../../testing/kinds.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { findNode, useEditor } from '../../testing/use-editor.ts'

/** More elements than these are too many to be moved in a frame. */
const MAX_ELEMENTS = 400

describe('the canvas of large and imported graphs', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  const at = (kind: keyof typeof KINDS, x: number, y: number, nickName = ''): Node =>
    createNode(KINDS[kind], { position: { x, y }, nickName })
  const countElements = (page: Page) => page.locator('.react-flow *').count()
  const readTransform = (page: Page) =>
    page.locator('.react-flow__viewport').evaluate((element) => element.style.transform)
  const readZoom = async (page: Page) => Number(/scale\((.+)\)/.exec(await readTransform(page))![1])
  const readGraph = (id: string, isThere: (graph: GraphContent) => boolean): Promise<GraphContent> =>
    until('the server has the edit', async () => {
      const answer = await app.ask(await app.owner(), `/documents/${id}/graph`)
      const { graph } = (await answer.json()) as { graph: GraphContent }
      return isThere(graph) && graph
    })
  const middleOfPane = async (page: Page) => {
    const { x, y, width, height } = (await page.locator('.react-flow__pane').boundingBox())!
    return { x: x + width / 2, y: y + height / 2 }
  }

  test('[WEB-64] given 1,107 nodes in 475 groups, when they are zoomed and moved, then there are few elements, and a step adds none', async () => {
    const { nodes, groups } = createGroupedGraph(1107, 475)
    const id = await app.make('Large', (doc) => {
      addNodes(doc, nodes)
      for (const group of groups) addGroup(doc, group)
    })
    const page = await app.show(id)
    await page.locator('[data-wires]:not([data-wires="0"])[data-groups="475"]').waitFor({ state: 'attached' })
    const map = page.locator('[data-overview]')
    await map.waitFor()
    assert.ok((await countElements(page)) < MAX_ELEMENTS)
    // All of it is visible: the least zoom is still smaller.
    const fitted = await readZoom(page)
    const { x, y } = await middleOfPane(page)
    await page.mouse.move(x, y)
    // Within one task, so that no time passes after which the canvas is rendered for the new zoom.
    const added = await page.evaluate(
      async ({ x, y }) => {
        const [pane, viewport] = ['pane', 'viewport'].map(
          (part) => document.querySelector<HTMLElement>(`.react-flow__${part}`)!,
        )
        const observer = new MutationObserver(() => {})
        const before = viewport!.style.transform
        observer.observe(viewport!, { childList: true, subtree: true })
        for (const deltaY of [-100, 100, 100]) {
          const at = { clientX: x, clientY: y, deltaY }
          pane!.dispatchEvent(new WheelEvent('wheel', { ...at, bubbles: true, cancelable: true }))
          await Promise.resolve()
        }
        const nodes = observer.takeRecords().flatMap(({ addedNodes }) => [...addedNodes])
        return { isZoomed: viewport!.style.transform !== before, count: nodes.length }
      },
      { x, y },
    )
    assert.deepEqual(added, { isZoomed: true, count: 0 })
    for (let step = 0; step < 20; step++) await page.mouse.wheel(0, 200)
    await until('the graph is small', async () => (await readZoom(page)) < 0.85 * fitted)
    assert.ok((await countElements(page)) < MAX_ELEMENTS)
    await page.getByRole('button', { name: 'Fit the graph' }).click()
    await until('the graph is fitted', async () => Math.abs((await readZoom(page)) - fitted) < 1e-6)
    // The overview map moves the canvas, and can be hidden.
    const before = await readTransform(page)
    const box = (await map.boundingBox())!
    await page.mouse.move(box.x + 5, box.y + 5)
    await page.mouse.down()
    await page.mouse.move(box.x + 30, box.y + 20)
    await page.mouse.up()
    await until('the canvas has moved', async () => (await readTransform(page)) !== before)
    const toggle = page.getByRole('button', { name: 'Overview map' })
    await toggle.click()
    await map.waitFor({ state: 'detached' })
    assert.equal(await toggle.getAttribute('aria-pressed'), 'false')
    // The map does not stand in the way of another page.
    await toggle.click()
    await map.waitFor()
    await page.getByRole('link', { name: 'Back to the folder' }).click()
    await page.getByRole('table', { name: 'Contents' }).waitFor()
    await page.context().close()
  })

  test('[WEB-65] given a definition with a view, when its document is opened, left and opened again, then it shows the view of the file, then where it was left', async () => {
    const owner = await app.owner()
    const [{ id: folder }] = [{ id: owner.me.teams[0]!.rootFolderId }]
    const bytes = createDefinitionFile({ panels: 40, view: { x: 40, y: 30, zoom: 1.5 } })
    const answer = await fetch(`${app.demo.address}/app/v1/folders/${folder}/uploads?fileName=View.gh`, {
      method: 'POST',
      headers: { cookie: owner.cookie, origin: app.demo.address, 'content-type': 'application/octet-stream' },
      body: Buffer.from(bytes),
    })
    const { upload } = (await answer.json()) as { upload: { documentId: string } }
    const page = await app.show(upload.documentId)
    await page.locator('.react-flow__node').first().waitFor()
    const opened = await readTransform(page)
    await page.getByRole('button', { name: 'Fit the graph' }).click()
    await until('all of it is shown', async () => (await readTransform(page)) !== opened)
    const { x, y } = await middleOfPane(page)
    await page.mouse.move(x, y)
    const fitted = await readTransform(page)
    await page.mouse.wheel(0, 100)
    await until('it is zoomed', async () => (await readTransform(page)) !== fitted)
    const left = await readZoom(page)
    await page.waitForFunction((zoom) => {
      const [view] = JSON.parse(localStorage.getItem('meadow.views') ?? '[]')
      return view && Math.abs(view[3] - zoom) < 1e-4
    }, left)
    await page.reload()
    await page.locator('.react-flow__node').first().waitFor()
    await until('the view is as it was left', async () => Math.abs((await readZoom(page)) - left) < 1e-4)
    await page.context().close()
  })

  test('[WEB-69] given a group, when it is double-clicked, boxes are drawn and arrow keys pressed, then all is as in Grasshopper', async () => {
    const nodes = [at('panel', 0, 0, 'First'), at('panel', 400, 0, 'Second')]
    const ids = nodes.map(({ instanceId }) => instanceId)
    const id = await app.make('As in Grasshopper', (doc) => {
      addNodes(doc, nodes)
      addGroup(doc, { label: 'Both', nodeInstanceIds: ids })
    })
    const page = await app.show(id)
    const [first, second] = ['First', 'Second'].map((name) => findNode(page, name))
    const boxes = [(await first!.boundingBox())!, (await second!.boundingBox())!] as const
    const between = { x: (boxes[0].x + boxes[1].x + boxes[1].width) / 2, y: boxes[0].y + 10 }
    await page.mouse.dblclick(between.x, between.y)
    await page.getByRole('combobox', { name: 'What to add' }).waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.click(between.x, between.y)
    await page.locator('.react-flow__node.selected').nth(1).waitFor()
    // Outside of the group: from the left, a box that contains the first node and touches the second.
    const draw = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move(to.x, to.y, { steps: 4 })
      await page.mouse.up()
    }
    const [left, right] = [
      { x: boxes[0].x - 40, y: boxes[0].y - 70 },
      { x: boxes[1].x + 20, y: boxes[0].y + boxes[0].height + 60 },
    ]
    const selected = page.locator('.react-flow__node.selected')
    await draw(left, right)
    await until('one is selected', async () => (await selected.count()) === 1)
    assert.equal(await selected.textContent(), await first!.textContent())
    await draw(right, left)
    await until('both are selected', async () => (await selected.count()) === 2)
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('ArrowRight')
    const { nodes: moved } = await readGraph(id, ({ nodes }) => nodes[ids[0]!]!.position.x === 5)
    assert.deepEqual(
      ids.map((node) => moved[node]!.position),
      [
        { x: 5, y: 20 },
        { x: 405, y: 20 },
      ],
    )
    await page.context().close()
  })

  test('[WEB-68] given two far nodes among many, when a wire is dragged between them, then its ports stand out and it ends there', async () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      at('panel', 300 * (index % 20), 200 * Math.floor(index / 20)),
    )
    const id = await app.make('Far wires', (doc) => addNodes(doc, many))
    const page = await app.show(id)
    const from = page.locator('.react-flow__node[tabindex="0"]')
    await from.waitFor()
    const box = (await from.boundingBox())!
    // The eleventh node of the sixth row.
    const zoom = await readZoom(page)
    const [x, y] = [box.x + (10 * 300 + 80) * zoom, box.y + (5 * 200 + 50) * zoom]
    await page.mouse.move(box.x + box.width, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(x, y, { steps: 5 })
    await page.locator('[data-wiring="source"]').waitFor()
    // The node under the pointer becomes an element: its input is at its left edge.
    const target = page.locator('.react-flow__node:not([tabindex="0"])')
    await target.waitFor()
    const end = (await target.boundingBox())!
    await page.mouse.move(end.x + 1, end.y + end.height / 2, { steps: 3 })
    await page.mouse.up()
    await page.locator('[data-wires="1"]').waitFor({ state: 'attached' })
    await page.context().close()
  })

  test('[WEB-69] given a touch screen, when fingers move, pinch and rest on the canvas, then it moves, zooms and opens the menu', async () => {
    const id = await app.make('Touched', (doc) => addNodes(doc, [at('panel', 0, 0, 'Touched')]))
    const page = await app.show(id, { hasTouch: true, viewport: { width: 400, height: 800 } })
    const node = findNode(page, 'Touched')
    await node.waitFor()
    const { x, y } = await middleOfPane(page)
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [x: number, y: number][]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      })
    const before = await readTransform(page)
    // On a node too: it is not selected.
    await touch('touchStart', [x, y])
    for (const step of [1, 2, 3, 4]) await touch('touchMove', [x + 15 * step, y + 10 * step])
    await touch('touchEnd')
    await until('the canvas has moved', async () => (await readTransform(page)) !== before)
    const zoom = await readZoom(page)
    await touch('touchStart', [x - 40, y], [x + 40, y])
    for (const step of [1, 2, 3, 4])
      await touch('touchMove', [x - 40 - 15 * step, y], [x + 40 + 15 * step, y])
    await touch('touchEnd')
    await until('the canvas is larger', async () => (await readZoom(page)) > 1.2 * zoom)
    const box = (await node.boundingBox())!
    await touch('touchStart', [box.x + 10, box.y + 5])
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    await touch('touchEnd')
    await page.context().close()
  })
})
