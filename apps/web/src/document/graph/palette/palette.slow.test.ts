import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addGroup, addNodes, connect, createNode } from '@meadow/client/live'
import type { GraphContent, Node } from '@meadow/contract'
import type { PaletteEntry } from '@meadow/contract/web'
import type { Page } from 'playwright-core'
import { createClusterItem } from '../../../../../server/src/testing/clustered-file.ts'
import { createClusterFile } from '../../../../../server/src/testing/library-files.ts'
import { until } from '../../../../../server/src/testing/until.ts'
import { assertAccessible } from '../../../testing/assert-accessible.ts'
import { noBrowser } from '../../../testing/browser.ts'
import { KINDS } from '../../../testing/kinds.ts'
import { shareDemo } from '../../../testing/share-demo.ts'
import { addNode, findNode, useEditor } from '../../../testing/use-editor.ts'

const MOVE = 'e9eb1dcf-92f6-4d4d-84ae-96222d60f56b'
const UNIT_Z = '9103c240-a6a9-4223-9b42-dbd19bf38e2b'

describe('the palette', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  const dockOf = (page: Page) => page.getByRole('complementary', { name: 'Components' })
  const entry = (page: Page, name: string) =>
    dockOf(page)
      .getByRole('tabpanel')
      .getByRole('button')
      .filter({ has: page.getByText(name, { exact: true }) })
      .first()
  const nodes = (page: Page) => page.locator('.react-flow__node')
  const portOf = ({ instanceId, ports }: Node, name: string) => ({
    nodeInstanceId: instanceId,
    portInstanceId: Object.keys(ports).find((id) => ports[id]?.name === name)!,
  })

  async function readDocument(id: string): Promise<GraphContent> {
    const headers = { authorization: `Bearer ${app.demo.token}` }
    const answer = await fetch(`${app.demo.address}/api/v1/documents/${id}`, { headers })
    return ((await answer.json()) as { document: GraphContent }).document
  }

  test('[WEB-170, WEB-171, WEB-172] given the list of components, when kinds are looked at, placed by a click, a key and a drag, then it explains and remembers them, and says what is not solved', async () => {
    const page = await app.show(await app.make('From the list'))
    await page.keyboard.press('Control+b')
    await dockOf(page).getByRole('tab', { name: 'Params', selected: true }).waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Params')
    // To the tab of curves, and into its first family, with the keyboard alone.
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight')
    await dockOf(page).getByRole('heading', { name: 'Division' }).waitFor()
    const divide = entry(page, 'Divide Curve')
    await divide.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    const card = page.getByRole('tooltip')
    await card.getByText('Divides a curve into segments').waitFor()
    assert.equal(await divide.getAttribute('aria-describedby'), await card.getAttribute('id'))
    const told = await card.innerText()
    for (const text of ['Count', 'Integer', 'How many. By default 10.', 'Points', 'Point, a list'])
      assert.ok(told.includes(text), `${text} in ${told}`)
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await findNode(page, 'Divide').waitFor()
    await entry(page, 'Curve Frames').click()
    await nodes(page).nth(1).waitFor()
    const pane = (await page.locator('.react-flow__pane').boundingBox())!
    await entry(page, 'Perp Frames').dragTo(page.locator('.react-flow__pane'), {
      targetPosition: { x: 120, y: pane.height - 90 },
    })
    const dropped = (await findNode(page, 'PFrames').boundingBox())!
    const [x, y] = [dropped.x + dropped.width / 2, dropped.y + dropped.height / 2]
    assert.ok(Math.hypot(x - (pane.x + 120), y - (pane.y + pane.height - 90)) < 8, `${x}, ${y}`)
    // Open again after a reload, with what was placed last in front.
    await page.reload()
    const last = dockOf(page).getByRole('group', { name: 'Placed last' }).getByRole('button')
    await last.first().waitFor()
    assert.deepEqual(await last.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))), [
      'Perp Frames',
      'Curve Frames',
      'Divide Curve',
    ])
    await dockOf(page).getByRole('tab', { name: 'Surface' }).click()
    await entry(page, 'Pipe Variable').filter({ hasText: 'not solved' }).hover()
    await card.getByText(/^Meadow does not solve it. Pipe Variable is not supported: /).waitFor()
    await seeIcons(page)
    await dockOf(page).getByRole('button', { name: 'Close the components' }).click()
    await dockOf(page).waitFor({ state: 'detached' })
    await page.context().close()
  })

  /** Shows all icons on one page, with a picture of it. Each has to draw something. */
  async function seeIcons(page: Page): Promise<void> {
    const icons: string[] = []
    for (const tab of await dockOf(page).getByRole('tab').all()) {
      await tab.click()
      const list = page.getByRole('tabpanel').locator('[data-kind] svg:has(path, text)')
      await list.first().waitFor()
      icons.push(...(await list.evaluateAll((all) => all.map((one) => one.outerHTML))))
    }
    const kinds: PaletteEntry[] = (await (await app.ask(await app.owner(), '/palette')).json()).kinds
    assert.equal(icons.length, kinds.length)
    const sheet = await page.context().newPage()
    await sheet.setContent(
      `<body style="margin:8px;--icon-tone:#1f7a4d"><style>svg{width:32px;height:32px;margin:5px}</style>${icons.join('')}`,
    )
    const sizes = await sheet.locator('svg').evaluateAll((all) =>
      all.map((icon) => {
        const { width, height } = (icon as SVGSVGElement).getBBox()
        return Math.max(width, height)
      }),
    )
    assert.ok(
      sizes.every((size) => size > 8 && size < 27),
      String(sizes.filter((size) => size <= 8 || size >= 27)),
    )
    await sheet.close()
  }

  test('[WEB-173, WEB-175] given nodes, when the pointer or the focus is on them, then a card explains them, never while they are dragged, and icons take the place of names when they are chosen', async () => {
    const move = { ...createNode(MOVE, { position: { x: 0, y: 0 } }), nickName: 'Lift' }
    const id = await app.make('Explained', (doc) => addNodes(doc, [move]))
    const page = await app.show(id)
    const node = findNode(page, 'Lift')
    const card = page.getByRole('tooltip')
    assert.equal(await card.count(), 0)
    await node.locator('[data-name]').hover()
    await card.getByText('Moves geometry along a vector.').waitFor()
    await card.getByText('Move', { exact: true }).waitFor()
    const { x, y } = (await node.boundingBox())!
    await page.mouse.down()
    await card.waitFor({ state: 'detached' })
    await page.mouse.move(x + 60, y + 60, { steps: 6 })
    assert.equal(await card.count(), 0)
    await page.mouse.up()
    await page.mouse.move(2, 2)
    await page.keyboard.press('Escape')
    await node.focus()
    await page.keyboard.press('Shift')
    await page.keyboard.press('Control+ArrowRight')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('Tab')
    for (let step = 0; step < 40 && !(await node.evaluate((own) => own === document.activeElement)); step++)
      await page.keyboard.press('Tab')
    await card.getByText('How far and in which direction.').waitFor()
    assert.match((await node.getAttribute('aria-describedby')) ?? '', /^node-card/)
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    const port = portOf(move, 'Motion').portInstanceId
    await node.locator(`[data-port="${port}"]`).hover()
    const data = page.getByRole('dialog', { name: /^Port/ })
    await data.getByText('How far and in which direction.').waitFor()
    await data.getByText('Vector · item').waitFor()
    await page.getByRole('button', { name: 'Icons in place of names' }).click()
    await nodes(page).locator('[data-name=Move] svg path').first().waitFor()
    assert.equal(await nodes(page).getByText('Lift').count(), 0)
    await page.reload()
    await nodes(page).locator('[data-name=Move] svg path').first().waitFor()
    await page.context().close()
  })

  test('[WEB-215, WEB-216] given library items of the team, when they are browsed, placed by a click and found while typing, then they are nodes with their content, in one step to undo', async () => {
    const id = await app.make('With library items')
    await app.upload('Times.ghuser', new Uint8Array(createClusterItem('Times', 7)))
    await app.upload('Passing.ghcluster', new Uint8Array(createClusterFile()))
    const page = await app.show(id)
    await page.keyboard.press('Control+b')
    await dockOf(page).getByRole('tab', { name: 'Team' }).click()
    const times = entry(page, 'Times')
    await times.hover()
    await page.getByRole('tooltip').getByText('From the file Times.ghuser').waitFor()
    await page.getByRole('tooltip').getByText('Number').first().waitFor()
    await dockOf(page).getByRole('tab', { name: 'Library' }).click()
    for (const family of ['Clusters', 'Team · Points'])
      await dockOf(page).getByRole('heading', { name: family }).waitFor()
    await times.hover()
    await assertAccessible(page)
    await times.click()
    await findNode(page, 'Times').dblclick()
    await page.getByRole('navigation', { name: 'Clusters' }).getByText('Times').waitFor()
    await nodes(page).first().waitFor()
    await page.goBack()
    await findNode(page, 'Times').waitFor()
    await page.keyboard.press('Control+z')
    await nodes(page).first().waitFor({ state: 'detached' })
    await addNode(page, 'pass', { x: 400, y: 300 })
    await findNode(page, 'Passing').waitFor()
    await page.context().close()
  })

  test('[WEB-174] given a wired node, when it is replaced from its menu or by a drop with Alt, then fitting kinds come first, what is lost is told, and one undo restores it', async () => {
    const move = createNode(MOVE, { position: { x: 200, y: 0 } })
    const unit = createNode(UNIT_Z, { position: { x: 0, y: 40 } })
    const sphere = createNode(KINDS.sphere, { position: { x: 0, y: -60 } })
    const id = await app.make('Replaced', (doc) => {
      addNodes(doc, [move, unit, sphere])
      connect(doc, { from: portOf(sphere, 'Sphere'), to: portOf(move, 'Geometry') })
      connect(doc, { from: portOf(unit, 'Unit vector'), to: portOf(move, 'Motion') })
      addGroup(doc, { nodeInstanceIds: [move.instanceId] })
    })
    const page = await app.show(id)
    const before = await readDocument(id)
    await findNode(page, 'Move').click({ button: 'right', position: { x: 30, y: 4 } })
    await page.getByRole('menuitem', { name: 'Replace by' }).click()
    const field = page.getByRole('combobox', { name: 'Replace “Move” by' })
    await page.getByRole('option').first().getByText('keeps everything').waitFor()
    await field.fill('rotate')
    const rotate = page.getByRole('option', { name: /^Rotate loses 1 wire/ }).first()
    await rotate.waitFor()
    await rotate.click()
    await findNode(page, 'Rotate').waitFor()
    const notice = page.getByText('“Move” is replaced. One wire found no place: Motion.')
    await notice.waitFor()
    await findNode(page, 'Move').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await findNode(page, 'Move').waitFor()
    await notice.waitFor({ state: 'detached' })
    // The same by a drop on the node: Mirror has no place for the vector either.
    await page.keyboard.press('Control+b')
    await dockOf(page).getByRole('tab', { name: 'Vector' }).click()
    await page.keyboard.down('Alt')
    const target = findNode(page, 'Z').last()
    await entry(page, 'Unit X').dragTo(target)
    await page.keyboard.up('Alt')
    await findNode(page, 'X').first().waitFor()
    const isReplaced = ({ name }: Node) => name === 'Unit X'
    const after = await until('the edit has arrived', async () => {
      const { nodes } = await readDocument(id)
      return Object.values(nodes).some(isReplaced) && nodes
    })
    const replaced = Object.values(after).find(isReplaced)!
    assert.equal(Object.keys(after).length, Object.keys(before.nodes).length)
    assert.deepEqual(after[move.instanceId]?.sources[portOf(move, 'Motion').portInstanceId], [
      portOf(replaced, 'Unit vector'),
    ])
    await page.context().close()
  })
})
