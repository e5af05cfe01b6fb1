import { addGroup, addNodes, createNode } from '@meadow/client/live'
import type { Page } from 'playwright-core'
import { KINDS } from './kinds.ts'
import type { Look } from './sights.ts'
import { type EditorApp, findNode } from './use-editor.ts'
import { close } from './walk-pages.ts'

/** A document with something for every dialog of the editor. Returns its id. */
export async function makeSample(app: EditorApp): Promise<string> {
  const nodes = [
    createNode(KINDS.slider, { position: { x: 0, y: 0 }, nickName: 'Width' }),
    createNode(KINDS.valueList, { position: { x: 0, y: 60 }, nickName: 'Choice' }),
    createNode(KINDS.panel, { position: { x: 0, y: 120 }, nickName: 'Notes' }),
    createNode(KINDS.sphere, { position: { x: 320, y: 0 } }),
    createNode(KINDS.divideCurve, { position: { x: 320, y: 160 }, nickName: 'Without a curve' }),
  ]
  return app.make('Every dialog', (doc) => {
    addNodes(doc, nodes)
    addGroup(doc, { label: 'Inputs', nodeInstanceIds: nodes.slice(0, 2).map(({ instanceId }) => instanceId) })
  })
}

const solved = (page: Page) =>
  page
    .getByText(/^Solved/)
    .first()
    .waitFor()

/** Shows every dialog, menu and panel of the editor, in the document of {@link makeSample}. */
export async function walkEditor(page: Page, look: Look): Promise<void> {
  await solved(page)
  await look(page, 'editor')
  const button = (name: string | RegExp) => page.getByRole('button', { name }).click()
  const dialogs: [name: string, open: () => Promise<void>][] = [
    ['help', () => chooseMore(page, 'Keys and gestures')],
    ['script', () => chooseMore(page, 'Script')],
    ['rename-document', () => button('Every dialog')],
    ['share', () => button('Share')],
    ['slider', () => findNode(page, 'Width').locator('span').first().dblclick()],
    ['value-list', () => openFromMenu(page, 'Choice', /^(Edit|Items)/)],
    ['rename-node', () => openFromMenu(page, 'Choice', 'Rename')],
  ]
  for (const [name, open] of dialogs) {
    await open()
    await page.getByRole('dialog').first().waitFor()
    await look(page, name, { isPopup: true })
    await close(page)
  }
  await button('More')
  await page.getByRole('menuitem').first().waitFor()
  await look(page, 'more-menu', { isPopup: true })
  await page.keyboard.press('Escape')
  await walkDock(page, look)
  await findNode(page, 'Notes').click({ button: 'right', position: { x: 6, y: 6 } })
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
  await look(page, 'node-menu', { isPopup: true })
  await page.keyboard.press('Escape')
  await findNode(page, 'Sph').locator('.react-flow__handle-right').first().hover()
  await page.getByRole('dialog', { name: /^Port/ }).waitFor()
  await look(page, 'port-card', { isPopup: true })
  await page.locator('.react-flow__pane').dblclick({ position: { x: 20, y: 20 } })
  await page.getByRole('combobox', { name: 'What to add' }).fill('add')
  await page.getByRole('listbox', { name: 'What to add' }).getByRole('option').first().waitFor()
  await look(page, 'palette', { isPopup: true })
  await page.keyboard.press('Escape')
  await openFromMenu(page, 'Without a curve', /^Replace by/)
  await page
    .getByRole('listbox', { name: /^Replace/ })
    .getByRole('option')
    .first()
    .waitFor()
  await look(page, 'replace', { isPopup: true })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+b')
  await page.getByRole('tabpanel').getByRole('button').first().hover()
  await page.getByRole('tooltip').waitFor()
  await look(page, 'components')
  await page.keyboard.press('Control+b')
  await page.keyboard.press('Control+f')
  await page.getByRole('combobox', { name: 'Search in the graph' }).fill('w')
  await look(page, 'node-finder', { isPopup: true })
  await page.keyboard.press('Escape')
  await walkHistory(page, look)
}

async function chooseMore(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** Shows the panels of the dock. */
async function walkDock(page: Page, look: Look): Promise<void> {
  await findNode(page, 'Width').locator('span').first().click()
  for (const name of ['Comments', 'Named views', 'Player', 'Properties', 'State']) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('complementary', { name }).waitFor()
    await look(page, name)
  }
  await page.keyboard.press('Escape')
  await page.getByRole('complementary').waitFor({ state: 'detached' })
}

async function walkHistory(page: Page, look: Look): Promise<void> {
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  await button('History')
  const history = page.getByRole('complementary', { name: 'History' })
  await history.getByRole('button', { name: /^Now/ }).waitFor()
  await look(page, 'history')
  await button('Name this state')
  await page.getByRole('dialog').getByLabel('Name').fill('For the walk')
  await look(page, 'name-version', { isPopup: true })
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await button(/^For the walk/)
  await page.getByText('Past version').waitFor()
  await look(page, 'version')
  await button('More about this version')
  await page.getByRole('menuitem').first().waitFor()
  await look(page, 'version-menu', { isPopup: true })
  await page.getByRole('menuitem', { name: 'Copy as a new document' }).click()
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  await look(page, 'copy-version', { isPopup: true })
  await close(page)
  await button('Compare with now')
  await page.getByRole('region', { name: 'Changes' }).getByRole('status').waitFor()
  await look(page, 'comparison')
  await button('Close the history')
  await history.waitFor({ state: 'detached' })
}

async function openFromMenu(page: Page, node: string, item: string | RegExp): Promise<void> {
  await findNode(page, node).click({ button: 'right', position: { x: 6, y: 6 } })
  await page.getByRole('menuitem', { name: item }).click()
}
