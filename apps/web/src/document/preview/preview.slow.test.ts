import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addNodes, createNode, createSliderValues, type Node } from '@meadow/client/live'
import type { Locator, Page } from 'playwright-core'
import { until } from '../../../../server/src/testing/until.ts'
import { noBrowser } from '../../testing/browser.ts'
import { KINDS } from '../../testing/kinds.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { findNode, useEditor } from '../../testing/use-editor.ts'

const CLUSTER = 'f31d8d7a-7536-4ac8-9c96-fde6ecda4d0a'
const SCRIPT = 'a9a8ebd2-fff5-4c44-a8f5-739736d129ba'

const at = (x: number, y: number) => ({ position: { x, y } })

const out = (node: Node) => ({
  nodeInstanceId: node.instanceId,
  portInstanceId: Object.keys(node.outputs)[0] ?? node.instanceId,
})

/** A slider from 0 to `maximum` at half of it, with a panel that shows its value. */
function createSlider(maximum: number): [slider: Node, panel: Node] {
  const slider = createNode(KINDS.slider, { ...at(0, 0), nickName: 'Radius' })
  slider.state = { ...slider.state, kind: 'slider', minimum: 0, maximum, decimals: 2 }
  slider.values[slider.instanceId] = createSliderValues(slider, maximum / 2)
  const panel = createNode(KINDS.panel, { ...at(300, 0), nickName: 'Shown' })
  panel.sources[panel.instanceId] = [out(slider)]
  return [slider, panel]
}

/** A node whose input `index` is wired to a slider. */
function follow(slider: Node, kind: string, index: number): Node {
  const node = createNode(kind, at(0, 150))
  node.sources[Object.keys(node.inputs)[index]!] = [out(slider)]
  return node
}

describe('previews', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo)
  afterEach(() => app.checkTroubles())

  const track = (page: Page) => page.getByRole('slider', { name: 'Radius' })

  /** Presses the slider at a part of its width, and keeps it pressed. */
  async function press(page: Page, part: number): Promise<(part: number) => Promise<void>> {
    const { x, y, width, height } = (await track(page).boundingBox())!
    const move = (part: number) => page.mouse.move(x + part * width, y + height / 2)
    await move(part)
    await page.mouse.down()
    return move
  }

  const panel = (page: Page) => findNode(page, 'Shown').locator('[data-edit]')
  const readNumber = async (panel: Locator) => Number(await panel.textContent())
  const state = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()

  /** The credits of the team, and the stored solution of the document. */
  async function readStored(id: string) {
    const owner = await app.owner()
    const read = async (path: string) => (await app.ask(owner, path)).json()
    const { document } = (await read(`/documents/${id}`)) as { document: { creditTenths: number } }
    const { solution } = (await read(`/documents/${id}/solution`)) as { solution: { id: string } | null }
    return { credits: document.creditTenths, solution: solution?.id }
  }

  /** The colours of the 3D view, as text. */
  const readView = async (page: Page) =>
    (await page.getByLabel(/^The geometry of the solution/).screenshot()).toString('base64')

  test('[WEB-50, WEB-52, WEB-53] given a slider, when it is dragged, then geometry and panel follow without the server and its credits, and the stored solution replaces the preview', async () => {
    const [slider, shown] = createSlider(10)
    const sphere = follow(slider, KINDS.sphere, 1)
    const id = await app.make('Follows', (doc) => addNodes(doc, [slider, shown, sphere]))
    const page = await app.show(id)
    await state(page, 'Solved')
    const before = await readStored(id)
    const first = await readView(page)
    const move = await press(page, 0.75)
    await state(page, 'Preview')
    await until('the panel follows', async () => (await readNumber(panel(page))) > 6)
    await move(0.2)
    await until('the panel follows again', async () => (await readNumber(panel(page))) < 4)
    await until('the geometry follows', async () => (await readView(page)) !== first)
    assert.deepEqual(await readStored(id), before)
    const dropped = await readNumber(panel(page))
    await page.mouse.up()
    await state(page, 'Solved')
    const after = await readStored(id)
    assert.notEqual(after.solution, before.solution)
    assert.ok(after.credits < before.credits)
    assert.equal(await readNumber(panel(page)), dropped)
    // The slider still has the focus. The stored solution is of this state again, without another solve.
    await page.keyboard.press('Control+z')
    await until('the drag is undone', async () => (await track(page).inputValue()) === '5')
    await state(page, 'Solved')
    await page.context().close()
  })

  test('[WEB-52] given a document with a script, when a slider is dragged, then its preview has the same unknown parts', async () => {
    const [slider, shown] = createSlider(10)
    const script = { ...follow(slider, KINDS.series, 2), templateId: SCRIPT, name: 'C# Script' }
    const id = await app.make('With a script', (doc) => addNodes(doc, [slider, shown, script]))
    const page = await app.show(id, { drawsGeometry: false })
    await page.getByText(/^Partial/).waitFor()
    await press(page, 0.75)
    await state(page, 'Preview')
    await until('the panel follows', async () => (await readNumber(panel(page))) > 6)
    await page.locator('.react-flow__node [data-state="unsupported"]').first().waitFor()
    await page.mouse.up()
    await page.getByText(/^Partial/).waitFor()
    await page.context().close()
  })

  test('[WEB-53] given a document that only the server can solve, when a slider is dragged, then the server solves one value after the other, and all are one step to undo', async () => {
    const [slider, shown] = createSlider(10)
    const cluster = { ...follow(slider, KINDS.series, 2), templateId: CLUSTER, name: 'Cluster' }
    const id = await app.make('With a cluster', (doc) => addNodes(doc, [slider, shown, cluster]))
    const page = await app.show(id, { drawsGeometry: false })
    await page.getByText(/^Partial/).waitFor()
    await until('the panel has its value', async () => (await readNumber(panel(page))) === 5)
    const before = await readStored(id)
    const move = await press(page, 0.75)
    await until('the first value is solved', async () => (await readNumber(panel(page))) > 6)
    assert.notEqual((await readStored(id)).solution, before.solution)
    await move(0.2)
    await until('the second value is solved', async () => (await readNumber(panel(page))) < 4)
    await page.mouse.up()
    await page.getByRole('button', { name: 'Undo' }).click()
    await until('all is undone', async () => (await track(page).inputValue()) === '5')
    await until('and solved', async () => (await readNumber(panel(page))) === 5)
    await page.context().close()
  })

  test('[WEB-51] given a value that takes too long, when the slider is dragged on, then a worker solves, not the page, and the newest value is shown', async () => {
    const [slider, shown] = createSlider(1.4e7)
    slider.values[slider.instanceId] = createSliderValues(slider, 100)
    const series = follow(slider, KINDS.series, 2)
    const id = await app.make('Too slow', (doc) => addNodes(doc, [slider, shown, series]))
    const page = await app.show(id, { drawsGeometry: false })
    await state(page, 'Solved')
    const before = await readStored(id)
    const move = await press(page, 0.95)
    await until('it is dragged', async () => Number(await track(page).inputValue()) > 1e7)
    await move(0)
    await until('the newest value is shown', async () => (await readNumber(panel(page))) === 0)
    // The page does not solve by itself.
    assert.ok(page.workers().length > 0)
    assert.deepEqual(await readStored(id), before)
    await page.mouse.up()
    await state(page, 'Solved')
    await page.context().close()
  })
})
