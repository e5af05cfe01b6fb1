import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterEach, describe, test } from 'node:test'
import { addNodes, createNode, createSliderValues, type Node } from '@meadow/client/live'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../../testing/assert-accessible.ts'
import { noBrowser } from '../../testing/browser.ts'
import { KINDS } from '../../testing/kinds.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { findNode, useEditor } from '../../testing/use-editor.ts'
import { waitForMiddle } from '../../testing/wait-for-middle.ts'

const CONSTRUCT_POINT = '3581f42a-9592-4549-bd6b-1c0fc39d067b'

const at = (x: number, y: number) => ({ position: { x, y } })

const out = (node: Node) => ({
  nodeInstanceId: node.instanceId,
  portInstanceId: Object.keys(node.outputs)[0] ?? node.instanceId,
})

function createSlider(nickName: string, value: number, maximum: number): Node {
  const slider = createNode(KINDS.slider, { ...at(0, nickName === 'Start' ? -80 : 0), nickName })
  slider.state = { ...slider.state, kind: 'slider', minimum: 1, maximum, decimals: 0 }
  slider.values[slider.instanceId] = createSliderValues(slider, value)
  return slider
}

/** Numbers from that of the first slider on, as many as the second says. */
function createSeries(start: Node, count: Node): Node {
  const series = createNode(KINDS.series, { ...at(250, 0), nickName: 'Series' })
  series.sources[Object.keys(series.inputs)[0]!] = [out(start)]
  series.sources[Object.keys(series.inputs)[2]!] = [out(count)]
  return series
}

describe('values of ports', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo)
  afterEach(() => app.checkTroubles())

  const canvasOf = (page: Page) => page.getByLabel(/^The geometry of the solution/)
  const solved = (page: Page) => page.getByText('Solved', { exact: true }).waitFor()

  /** Opens the table of a node's only output from its menu. */
  async function openValues(page: Page, node: string) {
    await findNode(page, node)
      .first()
      .click({ button: 'right', position: { x: 20, y: 6 } })
    await page.getByRole('menuitem', { name: 'Values as a table' }).click()
    return page.getByRole('region', { name: new RegExp(`^Values of ${node}`) })
  }

  async function readCsv(page: Page, item: RegExp) {
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ])
    const text = await readFile(await saved.path(), 'utf8')
    return { name: saved.suggestedFilename(), lines: text.trimEnd().split('\r\n') }
  }

  test('[WEB-220, WEB-222, WEB-223, WEB-224, WEB-225, WEB-226] given spheres and the numbers of their radii, when they are coloured by them and listed, then the legend, the colours and the table say the same', async () => {
    const [start, count] = [createSlider('Start', 1, 20), createSlider('Count', 10, 40_000)]
    const series = createSeries(start, count)
    const sphere = createNode(KINDS.sphere, { ...at(500, 0), nickName: 'Sphere' })
    sphere.sources[Object.keys(sphere.inputs)[1]!] = [out(series)]
    const id = await app.make('Coloured', (doc) => addNodes(doc, [start, count, series, sphere]))
    const page = await app.show(id, { permissions: ['clipboard-read', 'clipboard-write'] })
    await solved(page)
    await page.locator('canvas[data-visible="10"]').waitFor()
    await page.getByRole('button', { name: 'Colour by data' }).click()
    const panel = page.getByRole('group', { name: 'Colour by data' })
    await panel.getByRole('button', { name: /Sphere.*10/ }).waitFor()
    await panel.getByRole('combobox', { name: 'What to colour by' }).click()
    await page.getByRole('option', { name: /^Series.*\(10 values\)/ }).click()
    await panel.getByRole('img', { name: 'Colours from 1 to 10' }).waitFor()
    await panel.getByText('10 objects').waitFor()
    // The largest sphere is at the yellow end of Viridis.
    const isYellow = ([red, green, blue]: number[]) => red! > 120 && green! > 120 && blue! < 90
    await waitForMiddle(page, canvasOf(page), isYellow)
    await canvasOf(page).hover()
    await panel.getByText(/^10 · 10 objects/).waitFor()
    await panel.getByText('How objects were matched').click()
    await panel.getByText(/Sphere.*: 10 of 10, by path and index/).waitFor()
    await assertAccessible(page)
    await panel.getByText('Scale', { exact: true }).click()
    await panel.getByText('Reversed').click()
    await waitForMiddle(page, canvasOf(page), ([red, green, blue]) => blue! > red! && blue! > green!)

    // The same choice colours what is shown while a value is dragged.
    const { x, y, width, height } = (await page.getByRole('slider', { name: 'Start' }).boundingBox())!
    await page.mouse.move(x + width * 0.1, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.9, y + height / 2)
    await panel.getByRole('img', { name: /Colours from 1[5-9] to 2[4-8]/ }).waitFor()
    await page.mouse.up()
    await solved(page)

    // It is there after a reload, and for whoever gets the link.
    await panel.getByRole('button', { name: 'Copy a link with these colours' }).click()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(link, new RegExp(`/documents/${id}\\?colour=port\\.`))
    await page.reload()
    await panel.getByRole('img', { name: /Colours from 1[5-9]/ }).waitFor()
    await page.evaluate(() => localStorage.clear())
    await page.goto(link)
    await panel.getByRole('img', { name: /Colours from 1[5-9]/ }).waitFor()

    const table = await openValues(page, 'Series')
    const grid = table.getByRole('grid', { name: 'Values' })
    await grid.getByRole('row').nth(10).waitFor()
    const cells = async (row: number) =>
      (await grid.getByRole('row').nth(row).locator('td').allTextContents()).join(' ')
    const first = Number((await cells(1)).split(' ')[2])
    assert.equal(await cells(10), `{0;0} 9 ${first + 9}`)
    await table.getByRole('textbox', { name: 'Filter' }).fill(`> ${first + 4}`)
    await table.getByText('5 of 10 values').waitFor()
    await grid.getByRole('button', { name: 'Value' }).click()
    await grid.getByRole('button', { name: 'Value' }).click()
    assert.equal(await cells(1), `{0;0} 9 ${first + 9}`)
    await grid.getByRole('row').nth(2).click()
    await page.keyboard.press('Shift+ArrowDown')
    await table.getByText('2 selected').waitFor()
    await page.keyboard.press('Control+c')
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('Path'))
    assert.deepEqual(
      await page.evaluate(() => navigator.clipboard.readText()),
      ['Path\tIndex\tValue', `{0;0}\t8\t${first + 8}`, `{0;0}\t7\t${first + 7}`, ''].join('\r\n'),
    )
    const shown = await readCsv(page, /These 5 rows/)
    assert.match(shown.name, /^Series.*\.csv$/)
    assert.match(shown.lines[1]!, new RegExp(`^\\{0;0\\},9,number,${first + 9},`))
    assert.equal(shown.lines.length, 6)
    assert.equal((await readCsv(page, /All 10 values/)).lines.length, 11)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Close the values' }).click()

    const spheres = await openValues(page, 'Sphere')
    await spheres.getByRole('row').nth(3).click()
    await page.getByRole('group', { name: 'The selected object' }).getByText('2', { exact: true }).waitFor()
    await page.context().close()
  })

  test('[WEB-224, WEB-226, WEB-227] given more values than are loaded at once, or than the 3D view selects, when they are listed and selected, then the table says so, loads the rest when asked, and the file has all', async () => {
    const [start, count] = [createSlider('Start', 1, 20), createSlider('Count', 25_000, 40_000)]
    const id = await app.make('Many', (doc) => {
      const series = createSeries(start, count)
      const point = createNode(CONSTRUCT_POINT, { ...at(450, 0), nickName: 'Places' })
      point.sources[Object.keys(point.inputs)[0]!] = [out(series)]
      addNodes(doc, [start, count, series, point])
    })
    const page = await app.show(id)
    await solved(page)
    const table = await openValues(page, 'Series')
    await table.getByText('20,000 of 25,000 values · only the first 20,000 are loaded').waitFor()
    const all = await readCsv(page, /All 25,000 values/)
    assert.deepEqual(
      [all.lines.length, all.lines.at(-1)!.slice(0, 25)],
      [25_001, '{0;0},24999,number,25000,'],
    )
    await table.getByRole('button', { name: 'Load all 25,000' }).click()
    await table.getByText('25,000 values in 1 branch').waitFor()
    await table.getByRole('grid').focus()
    await page.keyboard.press('End')
    await table.getByRole('row', { name: /24999 25000/ }).waitFor()
    assert.ok((await table.getByRole('row').count()) < 60, 'few rows are elements')
    await table.getByRole('button', { name: 'Close the values' }).click()
    const places = await openValues(page, 'Places')
    await places.getByText('20,000 of 25,000 values').waitFor()
    await places.getByRole('grid').focus()
    await page.keyboard.press('Control+a')
    await places.getByText('20,000 selected · the 3D view shows the first 5,000 of them').waitFor()
    await page.context().close()
  })
})
