import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { createNode, type Node } from '@meadow/client/live'
import type { GraphContent } from '@meadow/contract'
import { writeDefinition } from '@meadow/grasshopper'
import type { Locator, Page } from 'playwright-core'
import { until } from '../../../../server/src/testing/until.ts'
import { assertAccessible } from '../../testing/assert-accessible.ts'
import { noBrowser } from '../../testing/browser.ts'
import { KINDS } from '../../testing/kinds.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { PHONE } from '../../testing/start-app.ts'
import { useEditor } from '../../testing/use-editor.ts'

/** A definition of a name that tells documents apart, and one that has other nodes. */
function createTwo(): { before: Buffer; after: Buffer } {
  const at = (kind: keyof typeof KINDS, x: number, y: number, nickName: string) => {
    const node = createNode(KINDS[kind], { position: { x, y }, nickName })
    // The port that a parameter is has its name.
    const own = node.ports[node.instanceId]
    if (own) own.nickName = nickName
    return node
  }
  const [width, height] = [at('slider', 0, 0, 'Width'), at('slider', 0, 80, 'Height')]
  const [sum, notes] = [at('addition', 400, 40, 'Sum'), at('panel', 600, 0, 'Notes')]
  const [a, b] = Object.keys(sum.inputs) as [string, string]
  const from = (node: Node) => ({
    nodeInstanceId: node.instanceId,
    portInstanceId: Object.keys(node.outputs)[0]!,
  })
  sum.sources = { [a]: [from(width)], [b]: [from(height)] }
  const toGraph = (...nodes: Node[]): GraphContent => ({
    nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
    groups: [],
    configuration: { inputs: [], outputs: [] },
  })
  const { bytes } = writeDefinition({ name: 'Sum', ...toGraph(width, height, sum) })
  const moved = { ...width, position: { x: 10, y: -40 } }
  const renamed = { ...sum, nickName: 'Total', sources: { [a]: [from(width)] } }
  const changed = writeDefinition({ name: 'Sum', ...toGraph(moved, renamed, notes) }, { original: bytes })
  return { before: Buffer.from(bytes), after: Buffer.from(changed.bytes) }
}

describe('the visual comparison', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  const canvas = (dialog: Locator, side: 'Before' | 'After') =>
    // Also where it is hidden, which regions are not found by.
    dialog.locator(`[data-side="${side.toLowerCase()}"] section`)
  const marked = (dialog: Locator, side: 'Before' | 'After') =>
    canvas(dialog, side).locator('[data-marked-nodes]')
  /** Where a canvas is and how large: x, y and zoom. Canvases are not equally wide to the pixel. */
  const viewOf = async (dialog: Locator, side: 'Before' | 'After') => {
    const transform = await canvas(dialog, side)
      .locator('.react-flow__viewport')
      .evaluate((element) => element.style.transform)
    return [...transform.matchAll(/-?[\d.]+/g)].map(Number)
  }
  const isSame = (one: number[], other: number[]) =>
    one.every((number, index) => Math.abs(number - other[index]!) < 1.5)

  async function compare(page: Page, name: string, file: Buffer): Promise<Locator> {
    await page.goto('/')
    await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: '', buffer: file })
    const uploads = page.getByRole('region', { name: 'Uploads' })
    await uploads.waitFor()
    const unfold = uploads.getByRole('button', { name: 'Show the uploads' })
    if (await unfold.isVisible()) await unfold.click()
    await uploads.getByRole('button', { name: 'What would change?' }).click()
    const dialog = page.getByRole('dialog')
    await marked(dialog, 'After').waitFor({ state: 'attached' })
    return dialog
  }

  test('[WEB-140, WEB-141, WEB-147] given a file that would replace a document, when it is compared with it, then what differs is marked and listed, both graphs move together, and it can replace the document from there', async () => {
    const { before, after } = createTwo()
    await app.upload('Compared.gh', new Uint8Array(before))
    const page = await app.open()
    const dialog = await compare(page, 'Compared.gh', after)
    const changes = dialog.getByRole('region', { name: 'Changes' })
    for (const text of [
      'Notes (Panel) was added',
      'Height (Number Slider) was removed',
      'Sum was renamed to Total',
    ])
      await changes.getByRole('button', { name: text }).waitFor()
    const count = (side: 'Before' | 'After') => marked(dialog, side).getAttribute('data-marked-nodes')
    assert.deepEqual([await count('Before'), await count('After')], ['2', '2'])
    await assertAccessible(page)

    await page.keyboard.press('n')
    await changes.getByText('1 of 3').waitFor()
    const chosen = (side: 'Before' | 'After') => marked(dialog, side).getAttribute('data-chosen')
    assert.ok(await chosen('After'))
    await until('both show the same part', async () =>
      isSame(await viewOf(dialog, 'Before'), await viewOf(dialog, 'After')),
    )
    const last = await viewOf(dialog, 'After')
    const pane = (await canvas(dialog, 'Before').locator('.react-flow__pane').boundingBox())!
    await page.mouse.move(pane.x + pane.width / 4, pane.y + pane.height / 4)
    await page.mouse.wheel(0, -300)
    await until('both have moved', async () => {
      const [one, other] = [await viewOf(dialog, 'Before'), await viewOf(dialog, 'After')]
      return isSame(one, other) && !isSame(other, last)
    })
    await page.keyboard.press('p')
    await changes.getByText('3 of 3').waitFor()
    await changes.getByRole('button', { name: 'Sum was renamed to Total' }).press('ArrowUp')
    await page.keyboard.press('Enter')
    await changes.getByText('2 of 3').waitFor()

    await dialog.getByRole('switch', { name: /Layout/ }).click()
    await changes.getByRole('button', { name: /Width was moved/ }).click()
    await changes.getByText('4 of 4').waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.emulateMedia({ colorScheme: 'light' })
    await dialog.getByRole('button', { name: 'Replace it' }).click()
    await page.getByRole('region', { name: 'Uploads' }).getByText('Compared was replaced.').waitFor()
    await page.context().close()
  })

  test('[WEB-140] given a phone, when two graphs are compared, then the changes and each graph are shown one at a time', async () => {
    const { before, after } = createTwo()
    await app.upload('On a phone.gh', new Uint8Array(before))
    const page = await app.open({ ...PHONE, hasTouch: true })
    const dialog = await compare(page, 'On a phone.gh', after)
    await dialog.getByRole('button', { name: 'Height (Number Slider) was removed' }).click()
    await canvas(dialog, 'Before').waitFor()
    await canvas(dialog, 'After').waitFor({ state: 'hidden' })
    await assertAccessible(page)
    await dialog.getByRole('radiogroup').getByText('After').click()
    await canvas(dialog, 'After').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width)
    await page.context().close()
  })
})
