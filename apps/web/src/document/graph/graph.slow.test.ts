import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addGroup, addNodes, createNode, type Node, removeNodes, setSlider } from '@meadow/client/live'
import type { GraphContent } from '@meadow/contract'
import type { ValueListState } from '@meadow/document'
import type { Locator, Page } from 'playwright-core'
import { until } from '../../../../server/src/testing/until.ts'
import { noBrowser } from '../../testing/browser.ts'
import { KINDS } from '../../testing/kinds.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { addNode, findNode, useEditor } from '../../testing/use-editor.ts'
import { CHARACTER_KEYS, type CharacterKey, COMMANDS, writeCommand, writeKey } from '../keys/use-keys.ts'

describe('the canvas', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  const at = (kind: keyof typeof KINDS, x: number, y: number, nickName?: string): Node =>
    createNode(KINDS[kind], { position: { x, y }, ...(nickName !== undefined && { nickName }) })
  const fromOutput = (node: Node) => ({
    nodeInstanceId: node.instanceId,
    portInstanceId: Object.keys(node.outputs)[0]!,
  })
  const grips = (node: Locator, side: 'left' | 'right') => node.locator(`.react-flow__handle-${side}`)
  const waitForWires = (page: Page, count: number) =>
    page.locator(`[data-wires="${count}"]`).waitFor({ state: 'attached' })

  /**
   * Chooses in a part of an open menu, by the keyboard: a part that a pointer opened closes when that pointer leaves it, as
   * it does on a slow machine. A menu and a part take the focus some time after they are shown.
   */
  const chooseInPart = async (page: Page, name: string, action: string): Promise<void> => {
    const part = page.locator('[role=menu] [role=menu]')
    await until(`${name} is open`, async () => {
      await page.getByRole('menuitem', { name, exact: true }).press('ArrowRight')
      return (await part.count()) > 0
    })
    await part.and(page.locator(':focus-within')).waitFor()
    await part.locator('[role^=menuitem]').filter({ hasText: action }).press('Enter')
  }

  /** Waits until the server has stored the edit. */
  const readGraph = (id: string, isThere: (graph: GraphContent) => boolean): Promise<GraphContent> =>
    until('the server has the edit', async () => {
      const answer = await app.ask(await app.owner(), `/documents/${id}/graph`)
      const { graph } = (await answer.json()) as { graph: GraphContent }
      return isThere(graph) && graph
    })

  test('[WEB-31] given input nodes, when their values are edited in place, then the document has the values', async () => {
    const nodes = [
      at('slider', 0, 0, 'Height'),
      at('panel', 0, 60),
      at('toggle', 0, 200),
      at('valueList', 60, 280),
    ]
    const [slider, panel, toggle, list] = nodes.map(({ instanceId }) => instanceId) as [
      string,
      string,
      string,
      string,
    ]
    const panels = nodes[1]!
    const id = await app.make('In place', (doc) => addNodes(doc, nodes))
    const page = await app.show(id)
    await page.getByRole('slider', { name: 'Height' }).focus()
    await page.keyboard.press('End')
    await page.locator('.react-flow__node-panel [data-edit]').dblclick()
    await page.keyboard.type('Two lines\nof text')
    await page.keyboard.press('Control+Enter')
    await page.locator('.react-flow__node-toggle button').click()
    await page.locator('.react-flow__node-valueList select').selectOption({ index: 2 })
    const own = (graph: GraphContent, node: string) =>
      graph.nodes[node]?.values[node]?.branches[0]?.values[0]?.value
    const chosen = ({ nodes }: GraphContent) =>
      (nodes[list]!.state as ValueListState).items.findIndex(({ isSelected }) => isSelected)
    const graph = await readGraph(id, (graph) => chosen(graph) === 2)
    assert.deepEqual([own(graph, slider), own(graph, toggle)], [1, true])
    assert.deepEqual(graph.nodes[panel]?.state, { ...panels.state, text: 'Two lines\nof text' })
    await page.context().close()
  })

  test('[WEB-12, WEB-13] given the palette, when nodes are added and wired, then Shift adds a wire and Ctrl removes one', async () => {
    const page = await app.show(await app.make('Wires'))
    await addNode(page, '0<3<10', { x: 150, y: 100 })
    await addNode(page, '0<4<10', { x: 150, y: 220 })
    await addNode(page, 'Addition', { x: 420, y: 160 })
    const outputs = page.locator('.react-flow__handle-right')
    const [input, other] = [0, 1].map((index) => page.locator('.react-flow__handle-left').nth(index))
    await outputs.nth(0).dragTo(input!)
    await waitForWires(page, 1)
    // Another wire replaces it.
    await outputs.nth(1).dragTo(input!)
    await outputs.nth(1).dragTo(other!)
    await waitForWires(page, 2)
    await page.keyboard.down('Shift')
    await outputs.nth(0).dragTo(input!)
    await page.keyboard.up('Shift')
    await waitForWires(page, 3)
    // The card with the data of the output would cover the input, and hides when the wire begins.
    await outputs.nth(0).hover()
    await page.getByRole('dialog', { name: /^Port / }).waitFor()
    await page.keyboard.down('Control')
    await outputs.nth(0).dragTo(input!)
    await page.keyboard.up('Control')
    await waitForWires(page, 2)
    for (const left of [1, 0]) {
      await page.keyboard.press('Control+z')
      await waitForWires(page, left === 1 ? 3 : 2)
    }
    await page.context().close()
  })

  test('[WEB-12] given a slider, when its name is double-clicked, then its range and value can be edited, and undone', async () => {
    const page = await app.show(await app.make('One slider'))
    await addNode(page, '0<3<10', { x: 300, y: 200 })
    const slider = page.locator('.react-flow__node-slider')
    await slider.locator('span').first().dblclick()
    const dialog = page.getByRole('dialog', { name: 'Number slider' })
    await dialog.getByLabel('Highest').fill('250')
    await dialog.getByLabel('Value').fill('120')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await slider.getByText('120', { exact: true }).waitFor()
    assert.equal(await slider.getByRole('slider').getAttribute('max'), '250')
    await page.getByRole('button', { name: 'Undo' }).click()
    await slider.getByText('3', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Redo' }).click()
    await slider.getByText('120', { exact: true }).waitFor()
    await page.context().close()
  })

  test('[WEB-378] given the dialog of a slider, when somebody else changes it meanwhile, then saving changes nothing but what was edited in the dialog', async () => {
    const slider = at('slider', 0, 0)
    const id = await app.make('Two at a slider', (doc) => addNodes(doc, [slider]))
    const page = await app.show(id)
    const node = page.locator('.react-flow__node-slider')
    await node.locator('span').first().dblclick()
    const dialog = page.getByRole('dialog', { name: 'Number slider' })
    await dialog.getByLabel('Name').fill('Height')
    await app.edit(id, (doc) => setSlider(doc, slider.instanceId, 0.75))
    await node.getByText('0.750', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await node.getByText('Height', { exact: true }).waitFor()
    assert.equal(await node.getByText('0.750', { exact: true }).count(), 1)
    await page.context().close()
  })

  test('[WEB-30] given a slider, when only the keyboard is used, then it can be focused, changed and deleted', async () => {
    const page = await app.show(await app.make('Keys', (doc) => addNodes(doc, [at('slider', 0, 0)])))
    const slider = page.locator('.react-flow__node-slider')
    await slider.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowRight')
    await slider.getByText('0.251', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await slider.focus()
    await page.keyboard.press(' ')
    await page.keyboard.press('Delete')
    await slider.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('[WEB-30] given nodes that are too small to be read, when the keyboard is used, then each can be focused, and the search finds them', async () => {
    const nodes = Array.from({ length: 200 }, (_, index) =>
      at('panel', 300 * (index % 20), 200 * Math.floor(index / 20), `Node ${index}`),
    )
    const page = await app.show(await app.make('Far', (doc) => addNodes(doc, nodes)))
    await waitForWires(page, 0)
    const focused = (index: number) =>
      page.locator(`.react-flow__node:focus[aria-label="Panel, Node ${index}"]`)
    await page.locator('.react-flow__node[tabindex="0"]').focus()
    await focused(0).waitFor()
    await page.keyboard.press('Control+ArrowRight')
    await focused(1).waitFor()
    await page.keyboard.press('Control+ArrowDown')
    await focused(21).waitFor()
    assert.equal(await page.locator('.react-flow__node[tabindex="0"]').count(), 1)
    await page.keyboard.press('Control+f')
    await page.getByRole('combobox', { name: 'Search in the graph' }).fill('node 150')
    await page.keyboard.press('Enter')
    await focused(150).waitFor()
    await page.context().close()
  })

  test('[WEB-32] given a group, when it is dragged, then its nodes move, and its label can be changed in a dialog', async () => {
    const nodes = [at('panel', 0, 0, 'First'), at('panel', 300, 0, 'Second')]
    const ids = nodes.map(({ instanceId }) => instanceId)
    const id = await app.make('Grouped', (doc) => {
      addNodes(doc, nodes)
      addGroup(doc, { label: 'Both', nodeInstanceIds: ids })
    })
    const page = await app.show(id)
    const graph = page.getByRole('region', { name: 'Graph' })
    const label = graph.getByText('Both', { exact: true })
    // The label is above the upper left corner.
    const box = (await label.boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height + 4]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 40, y + 80, { steps: 4 })
    await page.mouse.up()
    const moved = await readGraph(id, ({ nodes }) => nodes[ids[0]!]!.position.y > 1)
    const [first, second] = ids.map((node) => moved.nodes[node]!.position) as [
      Node['position'],
      Node['position'],
    ]
    assert.ok(Math.abs(second.x - first.x - 300) < 1e-6 && first.y === second.y && first.x > 1)
    await page.mouse.click(x + 40, y + 80, { button: 'right' })
    await page.getByRole('menuitem', { name: 'Label and colour of the group' }).click()
    await page.getByRole('dialog', { name: 'Group' }).getByLabel('Label').fill('A pair')
    await page.getByRole('button', { name: 'Save' }).click()
    await graph.getByText('A pair', { exact: true }).waitFor()
    await page.context().close()
  })

  test('[WEB-32] given a node, when it is dragged with Alt, then a copy is dropped and the node stays', async () => {
    const panel = at('panel', 0, 0, 'Twin')
    const page = await app.show(await app.make('Copies', (doc) => addNodes(doc, [panel])))
    const box = (await findNode(page, 'Twin').boundingBox())!
    await page.mouse.move(box.x + 10, box.y + 8)
    await page.mouse.down()
    await page.mouse.move(box.x + 40, box.y + 160, { steps: 4 })
    await page.keyboard.down('Alt')
    await page.mouse.up()
    await page.keyboard.up('Alt')
    await findNode(page, 'Twin').nth(1).waitFor()
    const tops = await findNode(page, 'Twin').evaluateAll((nodes) =>
      nodes.map((node) => node.getBoundingClientRect().y),
    )
    assert.ok(Math.abs(Math.min(...tops) - box.y) < 2 && Math.max(...tops) > box.y + 100, String(tops))
    await page.context().close()
  })

  test('[WEB-236] given a node that is dragged, when somebody deletes it and brings it back, then it is where it was', async () => {
    const panel = at('panel', 0, 0, 'Held')
    const id = await app.make('Dragged', (doc) => addNodes(doc, [panel]))
    const page = await app.show(id)
    const held = findNode(page, 'Held')
    const { x, y } = (await held.boundingBox())!
    await page.mouse.move(x + 10, y + 8)
    await page.mouse.down()
    await page.mouse.move(x + 90, y + 128, { steps: 4 })
    await until('it follows the pointer', async () => (await held.boundingBox())!.y > y + 50)
    await app.edit(id, (doc) => removeNodes(doc, [panel.instanceId]))
    await held.waitFor({ state: 'detached' })
    await page.mouse.up()
    await app.edit(id, (doc) => addNodes(doc, [panel]))
    await held.waitFor()
    const after = (await held.boundingBox())!
    assert.ok(Math.hypot(after.x - x, after.y - y) < 2, JSON.stringify({ x, y, after }))
    await page.context().close()
  })

  test('[WEB-32] given a node whose last input repeats, when inputs are added and removed, then its wires stay', async () => {
    const [slider, merge] = [at('slider', 0, 0), at('merge', 300, 0)]
    merge.sources[Object.keys(merge.inputs)[0]!] = [fromOutput(slider)]
    const page = await app.show(await app.make('Repeated', (doc) => addNodes(doc, [slider, merge])))
    const node = findNode(page, 'Merge')
    const before = await grips(node, 'left').count()
    await node.locator('[data-name=Merge]').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Add an input' }).click()
    await grips(node, 'left').nth(before).waitFor()
    await chooseInPart(page, `D${before + 1}`, 'Remove')
    await grips(node, 'left').nth(before).waitFor({ state: 'detached' })
    await waitForWires(page, 1)
    await page.context().close()
  })

  test('[WEB-38, WEB-39] given the palette, when a kind is chosen, then it shows its ports, and its values can be typed', async () => {
    const id = await app.make('Typed')
    const page = await app.show(id)
    await page.keyboard.press('/')
    await page.keyboard.type('divide curve')
    const details = page.locator('#search-list-details')
    await details.getByText('Curve, Count, Kinks').waitFor()
    await page.keyboard.press('Escape')
    await addNode(page, 'series', { x: 200, y: 200 })
    await findNode(page, 'Series').locator('[data-name=Series]').click({ button: 'right' })
    await chooseInPart(page, 'C', 'Set values')
    const field = page.getByRole('textbox', { name: 'Integer' })
    await field.fill('1.5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“1.5” is not of the type Integer').waitFor()
    await field.fill('3')
    await page.getByRole('button', { name: 'Save' }).click()
    await field.waitFor({ state: 'detached' })
    const isThree = ({ values }: Node) =>
      Object.values(values).some(({ branches }) => branches[0]?.values[0]?.value === 3)
    await readGraph(id, ({ nodes }) => Object.values(nodes).some(isThree))
    await page.context().close()
  })

  test('[WEB-237, WEB-238, WEB-323] given single keys, when the focus is in a button or menu, or they are switched off, then they do nothing, and keys with Ctrl go on', async () => {
    const id = await app.make('Keys', (doc) => addNodes(doc, [at('slider', 0, 0, 'Width')]))
    const page = await app.show(id, { drawsGeometry: true })
    const singles = Object.values(CHARACTER_KEYS).map(({ key }) => key)
    const search = page.getByRole('combobox', { name: 'What to add' })
    const opened = search
      .or(page.getByRole('dialog'))
      .or(page.getByRole('button', { name: 'Close the named views' }))
      .or(page.getByText('Click a node, a group, or a point'))
      .or(page.getByRole('img', { name: 'pinned to the player' }))
      .or(page.getByRole('group', { name: 'Section' }))
      .filter({ visible: true })
    const pressAll = async () => {
      for (const key of singles) await page.keyboard.press(key)
      assert.equal(await opened.count(), 0)
    }
    const node = findNode(page, 'Width')
    const model = page.getByLabel(/^The geometry of the solution/)
    await model.waitFor()
    // Selected, so that it could be pinned.
    await node.click({ position: { x: 6, y: 6 } })
    for (const button of ['Share', 'Measure', 'Fit the graph']) {
      await page.getByRole('button', { name: button, exact: true }).focus()
      await pressAll()
    }
    assert.equal(await page.getByRole('button', { name: 'Measure', pressed: true }).count(), 0)
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Top' }).waitFor()
    await pressAll()
    await page.keyboard.press('Escape')
    // In their place.
    const close = page.getByRole('button', { name: 'Close the named views' })
    for (const place of [node, model]) {
      await place.focus()
      await page.keyboard.press('v')
      await close.waitFor()
      await page.keyboard.press('v')
      await close.waitFor({ state: 'detached' })
    }
    await model.focus()
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Measure', pressed: true }).waitFor()
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Measure' }).hover()
    await page.getByRole('tooltip').getByText('Measure (M)', { exact: true }).waitFor()
    // A click on the canvas takes the focus from a button.
    await page.getByRole('button', { name: 'Share' }).focus()
    await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } })
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys and gestures' })
    const singleKeys = Object.entries(CHARACTER_KEYS).map(
      ([name, { does }]) => `${writeKey(name as CharacterKey)} ${does}`,
    )
    const commands = Object.values(COMMANDS).map((command) => `${writeCommand(command)} ${command.does}`)
    for (const name of [...singleKeys, ...commands])
      await help.getByRole('row', { name, exact: true }).waitFor()
    const isOn = help.getByRole('switch', { name: 'Single-key shortcuts' })
    assert.ok(await isOn.isChecked())
    await page.goto('/account')
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).click({ force: true })
    await page.goto(`/documents/${id}`)
    await model.waitFor()
    await node.click({ position: { x: 6, y: 6 } })
    await pressAll()
    await model.focus()
    await pressAll()
    assert.equal(await page.getByRole('button', { name: 'Measure', pressed: true }).count(), 0)
    await page.getByRole('button', { name: 'Measure' }).hover()
    await page.getByRole('tooltip').getByText('Measure', { exact: true }).waitFor()
    await node.focus()
    await page.keyboard.press('Control+Space')
    await search.waitFor()
    await page.context().close()
  })

  test('[WEB-180, WEB-181, WEB-182] given nodes, when they are searched by value, aligned, and their wires hidden, then the menus do it', async () => {
    const [slider, panel, move] = [
      at('slider', 0, 0, 'Width'),
      at('panel', 300, 90, 'Unit'),
      at('merge', 600, 200),
    ]
    const [input] = Object.keys(move.inputs)
    move.sources[input!] = [fromOutput(slider)]
    const id = await app.make('Arranged', (doc) => addNodes(doc, [slider, panel, move]))
    const page = await app.show(id)
    await findNode(page, 'Width').waitFor()
    await page.keyboard.press('Control+f')
    await page.getByRole('combobox', { name: 'Search in the graph' }).fill('0.25')
    await page.getByRole('option', { name: 'Width' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.react-flow__node-slider:focus').waitFor()
    await page.keyboard.press('Control+a')
    await page.locator('.react-flow__node [data-selected]').nth(2).waitFor()
    // The search has led to the slider, from where others may be out of view.
    await page.getByRole('button', { name: 'Fit the graph' }).click()
    await findNode(page, 'Merge').locator('[data-name=Merge]').click({ button: 'right' })
    await chooseInPart(page, 'Align', 'Top edges')
    const topOf = (name: string) => findNode(page, name).evaluate((node) => node.getBoundingClientRect().top)
    await until('the nodes are aligned', async () => {
      const tops = await Promise.all(['Width', 'Unit', 'Merge'].map(topOf))
      return Math.max(...tops) - Math.min(...tops) < 1
    })
    await findNode(page, 'Merge').locator('[data-name=Merge]').click({ button: 'right' })
    await chooseInPart(page, 'D1', 'Hidden')
    await readGraph(id, ({ nodes }) => nodes[move.instanceId]!.ports[input!]!.wireDisplay === 'hidden')
    await page.context().close()
  })

  test('[WEB-32] given copied nodes, when they are pasted into another document, then they keep their wires', async () => {
    const [slider, panel] = [at('slider', 0, 0, 'Copied'), at('panel', 400, 0)]
    panel.sources[panel.instanceId] = [fromOutput(slider)]
    const page = await app.show(await app.make('From here', (doc) => addNodes(doc, [slider, panel])))
    await findNode(page, 'Copied').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    await page.goto(`/documents/${await app.make('To there')}`)
    await page.locator('.react-flow__pane').click()
    await page.keyboard.press('Control+v')
    await findNode(page, 'Copied').waitFor()
    await waitForWires(page, 1)
    await page.keyboard.press('Control+z')
    await findNode(page, 'Copied').waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('[WEB-13, WEB-33] given a tree, when its port is hovered, then its branches are shown, and wires have the style of their data', async () => {
    const [series, graft, panel] = [at('series', 0, 0), at('graftTree', 200, 0), at('panel', 400, -100)]
    graft.sources[Object.keys(graft.inputs)[0]!] = [fromOutput(series)]
    panel.sources[panel.instanceId] = [fromOutput(graft)]
    const page = await app.show(await app.make('A tree', (doc) => addNodes(doc, [series, graft, panel])))
    await page.getByText('Solved', { exact: true }).waitFor()
    // The panel shows the paths and the values.
    await page.locator('.react-flow__node-panel').getByText('{0;0;9}').waitFor()
    await grips(findNode(page, 'Graft'), 'right').hover()
    const card = page.getByRole('dialog', { name: /^Port/ })
    await card.getByText('10 values in 10 branches').waitFor()
    await card.getByText('{0;0;9}', { exact: true }).waitFor()
    // Across the middle of a wire: a list is two lines, with the canvas between them.
    const between = async (from: Locator, to: Locator) => {
      const [a, b] = [(await from.boundingBox())!, (await to.boundingBox())!]
      return {
        x: (a.x + a.width / 2 + b.x + b.width / 2) / 2,
        y: (a.y + a.height / 2 + b.y + b.height / 2) / 2,
      }
    }
    // Drawn with one of the next frames; the nodes may still be moving until then.
    await until('the wire is drawn as two lines', async () => {
      const middle = await between(
        grips(findNode(page, 'Series'), 'right'),
        grips(findNode(page, 'Graft'), 'left'),
      )
      const bands = await page.evaluate(({ x, y }) => {
        const canvas = document.querySelector<HTMLCanvasElement>('[data-wires] canvas')!
        const { left, top, width } = canvas.getBoundingClientRect()
        const scale = canvas.width / width
        const position = [Math.round((x - left) * scale), Math.round((y - top) * scale) - 8] as const
        const { data } = canvas.getContext('2d')!.getImageData(...position, 1, 17)
        const rows = Array.from({ length: 17 }, (_, row) => {
          const [red, opacity] = [data[4 * row]!, data[4 * row + 3]!]
          return opacity <= 100 ? 'nothing' : red > 150 ? 'light' : 'dark'
        })
        return rows.filter((colour, row) => colour !== rows[row - 1]).join()
      }, middle)
      return bands === 'nothing,dark,light,dark,nothing'
    })
    await page.context().close()
  })
})
