import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addNodes, createNode, type Node } from '@meadow/client/live'
import type { Page } from 'playwright-core'
import { createDefinitionFile } from '../../../../server/src/testing/definition-file.ts'
import { until } from '../../../../server/src/testing/until.ts'
import { assertAccessible } from '../../testing/assert-accessible.ts'
import { noBrowser } from '../../testing/browser.ts'
import { KINDS } from '../../testing/kinds.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { TOUCH_PHONE } from '../../testing/start-app.ts'
import { findNode, useEditor } from '../../testing/use-editor.ts'

/** The tabs that members have of a document with a file, in the order of their buttons. */
const TABS = ['Comments', 'Named views', 'History', 'Player', 'Properties', 'State', 'About the file']

describe('the dock', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  const rail = (page: Page) => page.getByRole('group', { name: 'Panels' })
  const button = (page: Page, name: string) => rail(page).getByRole('button', { name })
  const panel = (page: Page, name?: string) => page.getByRole('complementary', { ...(name && { name }) })
  const names = (page: Page, selector: string) =>
    rail(page)
      .locator(selector)
      .evaluateAll((found) => found.map((each) => each.ariaLabel))
  /** Waits until a panel is open, and no other one. */
  const isAlone = async (page: Page, name: string) => {
    await panel(page, name).waitFor()
    assert.equal(await panel(page).count(), 1)
    assert.deepEqual(await names(page, '[aria-pressed=true]'), [name])
  }
  const hasFocus = (page: Page, name: string) => page.locator(`aside:focus[aria-label="${name}"]`).waitFor()
  async function makePair(name: string) {
    const [left, right] = ['Left', 'Right'].map((nickName, index) =>
      createNode(KINDS.slider, { position: { x: 0, y: 60 * index }, nickName }),
    ) as [Node, Node]
    const id = await app.make(name, (doc) => addNodes(doc, [left, right]))
    return { id, left: left.instanceId }
  }
  const pick = (page: Page, name: string) => findNode(page, name).click({ position: { x: 6, y: 6 } })

  test('[WEB-260] given a document with a file, when its panels are opened by buttons, keys and addresses, then each takes the place of the one before, and the address has comments and the history', async () => {
    const id = await app.upload('Docked.gh', createDefinitionFile({ unsolvable: true }).slice())
    const page = await app.show(id)
    assert.deepEqual(await names(page, 'button'), TABS)
    for (const name of TABS) {
      await button(page, name).click()
      await isAlone(page, name)
      const search = { Comments: '?comment=', History: '?history=' }[name] ?? ''
      await page.waitForURL((url) => url.search === search)
    }
    await page.getByTitle('What is solved, and what is missing').click()
    await isAlone(page, 'State')
    await page
      .getByTitle('What is solved, and what is missing')
      .and(page.locator('[aria-pressed=true]'))
      .click()
    await panel(page).waitFor({ state: 'detached' })
    await button(page, 'Player').click()
    await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } })
    await page.keyboard.press('v')
    await isAlone(page, 'Named views')
    await page.goto(`/documents/${id}?comment=`)
    await isAlone(page, 'Comments')
    await page.goto(`/documents/${id}#state`)
    await isAlone(page, 'State')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Models hold only what is solved.' }).waitFor()
    await page.context().close()
  })

  test('[WEB-260] given a panel, when Escape or its button closes it, then the focus is back at what opened it; Escape in a dialog of the panel closes the dialog alone', async () => {
    const page = await app.show((await makePair('Escaped')).id)
    for (const name of TABS.slice(0, 6)) {
      await button(page, name).focus()
      await page.keyboard.press('Enter')
      await hasFocus(page, name)
      if (name === 'Named views') {
        await panel(page, name).getByRole('button', { name: 'Save the graph view' }).click()
        await page.getByRole('dialog').waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      if (name === 'History')
        await panel(page, name).getByRole('button', { name: 'Close the history' }).click()
      else await page.keyboard.press('Escape')
      await panel(page).waitFor({ state: 'detached' })
      await page.locator(`button:focus[aria-label="${name}"]`).waitFor()
    }
    // The graph does not act on the same key.
    await pick(page, 'Left')
    await page.keyboard.press('Control+i')
    await hasFocus(page, 'Properties')
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    await page.locator('.react-flow__node.selected:focus').waitFor()
    await page.context().close()
  })

  test('[WEB-261] given a panel, when its edge is moved with keys or dragged, then all panels have that width, also after a reload', async () => {
    const page = await app.show((await makePair('Wide')).id)
    await button(page, 'Comments').click()
    const width = async () => (await panel(page).boundingBox())!.width
    const becomes = (expected: number) =>
      page.waitForFunction(
        (expected) => Math.abs(document.querySelector('aside')!.offsetWidth - expected) < 2,
        expected,
      )
    const edge = page.getByRole('separator', { name: 'Width of the panel' })
    const before = await width()
    await edge.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowRight')
    await becomes(before + 24)
    const { x, y, height } = (await edge.boundingBox())!
    await page.mouse.move(x + 4, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x - 96, y + height / 2, { steps: 4 })
    await page.mouse.up()
    await becomes(before + 124)
    assert.equal(await edge.getAttribute('aria-valuenow'), String(await width()))
    await page.reload()
    await panel(page, 'Comments').waitFor()
    await becomes(before + 124)
    await button(page, 'State').click()
    await isAlone(page, 'State')
    await becomes(before + 124)
    await page.context().close()
  })

  test('[WEB-262] given a phone, when a panel is opened, then it is a sheet of at most half the height below what is shown, and nothing is wider than the window; the graph stays in view, and is back where it was when the sheet is closed', async () => {
    const id = await app.upload('Sheets.gh', createDefinitionFile({ unsolvable: true }).slice())
    const named = { method: 'POST', body: { name: 'First' } }
    await app.ask(await app.owner(), `/documents/${id}/versions`, named)
    const page = await app.show(id, TOUCH_PHONE)
    const { width, height } = TOUCH_PHONE.viewport
    const graph = page.getByRole('region', { name: /^Graph/ })
    const node = graph.locator('.react-flow__node').first()
    const readView = () => graph.locator('.react-flow__viewport').getAttribute('style')
    const opened = await readView()
    for (const name of TABS) {
      await button(page, name).tap()
      await isAlone(page, name)
      await assertAccessible(page)
      const [sheet, shown] = [(await panel(page).boundingBox())!, (await graph.boundingBox())!]
      assert.ok(sheet.height <= height / 2, `${name} is ${sheet.height} high`)
      assert.ok(sheet.width <= width && sheet.y >= shown.y + shown.height - 1)
      assert.ok(shown.height > height / 4, `the graph is ${shown.height} high with ${name}`)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
      await until(`the graph is in view above ${name}`, async () => {
        const [{ y, height }, above] = [(await node.boundingBox())!, (await graph.boundingBox())!]
        const middle = above.y + above.height / 2
        return y - 1 <= middle && middle <= y + height + 1
      })
      if (name !== 'History') continue
      await panel(page)
        .getByRole('button', { name: /^First/ })
        .tap()
      await page.getByText('Past version').waitFor()
      await page.getByRole('region', { name: 'Graph of the version' }).waitFor()
      await isAlone(page, name)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
    }
    await button(page, TABS.at(-1)!).tap()
    await until('the graph is where it was', async () => (await readView()) === opened)
    await page.context().close()
  })

  test('[WEB-263] given an editor, a viewer, a visitor and a frame, when the document is shown, then its header has at most nine controls, and the dock the panels that are for them', async () => {
    const { id } = await makePair('Counted')
    await app.ask(await app.owner(), `/documents/${id}`, { method: 'PATCH', body: { visibility: 'public' } })
    const controls = (page: Page) =>
      page
        .getByRole('banner')
        .locator('a, button, [role=radiogroup]')
        .evaluateAll((found) => found.map((each) => each.ariaLabel ?? each.textContent))
    const page = await app.show(id)
    await page.getByText('Solved', { exact: true }).waitFor()
    const view = 'What is shown'
    assert.deepEqual(await controls(page), [
      ...['Back to the folder', 'Counted', 'Solved', 'Undo', 'Redo', 'Solve', view, 'Share', 'More'],
    ])
    const viewer = await app.show(id, { person: await app.invite('Vera', 'viewer') })
    await viewer.getByText('Solved', { exact: true }).waitFor()
    assert.deepEqual(await controls(viewer), ['Back to the folder', 'Solved', view, 'Share', 'More'])
    assert.deepEqual(await names(viewer, 'a, button'), TABS.slice(0, 6))
    assert.match((await rail(viewer).getByRole('link').getAttribute('href'))!, new RegExp(`/play/${id}$`))

    const visitor = await app.open({ isSignedOut: true })
    await visitor.goto(`/documents/${id}?history=`)
    await rail(visitor).waitFor()
    await visitor.getByText('Solved', { exact: true }).waitFor()
    assert.deepEqual(await controls(visitor), ['Solved', view, 'More', 'Sign in'])
    assert.deepEqual(await names(visitor, 'a, button'), ['Named views', 'Player', 'Properties', 'State'])
    assert.equal(await panel(visitor).count(), 0)
    await visitor.goto(`/embed/${id}`)
    await visitor.getByRole('link', { name: 'Open in Meadow' }).waitFor()
    assert.equal(await rail(visitor).count(), 0)
    await findNode(visitor, 'Left').click({ button: 'right', position: { x: 6, y: 6 } })
    await visitor.getByRole('menuitem', { name: 'Properties' }).click()
    await visitor.getByRole('dialog').getByRole('heading', { name: 'Left' }).waitFor()
    await Promise.all([page, viewer, visitor].map((each) => each.context().close()))
  })

  test('[WEB-264] given open properties or the open player, when nodes are selected, then they are about these nodes, also those of a version', async () => {
    const { id, left } = await makePair('Followed')
    const page = await app.show(id)
    // The node of the address is selected once, and not again when the address changes.
    await page.goto(`/documents/${id}?comment=&node=${left}`)
    await page.locator('.react-flow__node.selected', { hasText: 'Left' }).waitFor()
    await pick(page, 'Right')
    await page.keyboard.press('Control+i')
    await panel(page, 'Properties').getByRole('heading', { name: 'Right' }).waitFor()
    await page.waitForURL((url) => url.search === '')
    await hasFocus(page, 'Properties')
    await page.keyboard.press('Escape')
    await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } })
    await button(page, 'Properties').click()
    await page.getByText('Select a node to see its properties.').waitFor()
    for (const name of ['Left', 'Right']) {
      await pick(page, name)
      await panel(page).getByRole('heading', { name, level: 3 }).waitFor()
    }
    await button(page, 'Player').click()
    await panel(page).getByRole('button', { name: 'Pin or unpin the selected node' }).click()
    await panel(page).getByLabel('Label of Right').waitFor()
    await pick(page, 'Left')
    await panel(page).getByRole('button', { name: 'Pin or unpin the selected node' }).click()
    await panel(page).getByLabel('Label of Left').waitFor()

    await button(page, 'History').click()
    await panel(page).getByRole('button', { name: 'Name this state' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Pinned')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await panel(page)
      .getByRole('button', { name: /^Pinned/ })
      .click()
    await page.getByText('Past version').waitFor()
    await findNode(page, 'Left').dblclick({ position: { x: 6, y: 6 } })
    await button(page, 'Properties').click()
    await panel(page, 'Properties').getByRole('heading', { name: 'Left' }).waitFor()
    await page.getByRole('button', { name: 'Close the properties' }).click()
    await isAlone(page, 'History')
    await page.getByText('Past version').waitFor()
    await page.context().close()
  })
})
