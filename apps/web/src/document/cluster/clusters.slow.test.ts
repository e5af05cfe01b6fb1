import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
} from '../../../../../packages/grasshopper/src/testing/build-archive.ts'
import { buildCluster, buildContent } from '../../../../../packages/grasshopper/src/testing/build-cluster.ts'
import { createClusterFile, createScriptFile } from '../../../../server/src/testing/library-files.ts'
import { assertAccessible } from '../../testing/assert-accessible.ts'
import { noBrowser } from '../../testing/browser.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { PHONE } from '../../testing/start-app.ts'
import { findNode, useEditor } from '../../testing/use-editor.ts'

const GH_PYTHON = '410755b1-224a-4c1e-a407-bf32fb45ea7e'
const SOURCE = 'import math\nprint "%d" % x'

const createScript = (id: number, name: string) =>
  buildObject({ guid: GH_PYTHON, id, name, container: [buildItem('string', 'CodeInput', SOURCE)] })

/** A cluster Facade, in it a cluster Panel, and in that a script Py. */
function createNested(): Uint8Array<ArrayBuffer> {
  const panel = buildCluster({ id: 40, name: 'Panel', content: buildContent([createScript(51, 'Py')]) })
  const facade = buildCluster({ id: 30, name: 'Facade', content: buildContent([panel]) })
  return new Uint8Array(buildDefinition([facade]))
}

describe('clusters', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Clusters' })
  const isIn = (page: Page, name: string) =>
    crumbs(page).locator('[aria-current=page]', { hasText: name }).waitFor()

  test('[WEB-91, WEB-93] given clusters in clusters, when they are opened, then their graphs are shown with the way back, scripts with their source, and addresses that lead there; visitors read that they are for members', async () => {
    const id = await app.upload('Nested.gh', createNested())
    const page = await app.show(id)
    await findNode(page, 'Facade').dblclick()
    await isIn(page, 'Facade')
    await findNode(page, 'Panel').dblclick()
    await isIn(page, 'Panel')
    assert.equal(new URL(page.url()).search, `?cluster=${buildId(30)}/${buildId(40)}`)
    await assertAccessible(page)

    await findNode(page, 'Py').dblclick()
    const properties = page.getByRole('complementary', { name: 'Properties' })
    await properties.locator('[data-highlighted]').waitFor()
    await properties.getByText('IronPython 2', { exact: true }).waitFor()
    assert.equal(await properties.getByRole('region', { name: 'Source' }).textContent(), SOURCE)
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await properties.waitFor({ state: 'detached' })
    await isIn(page, 'Panel')

    const nothingSelected = page.locator('.react-flow__node.selected').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await nothingSelected
    await page.keyboard.press('Escape')
    await isIn(page, 'Facade')
    await page.locator('.react-flow__node.selected', { hasText: 'Panel' }).waitFor()
    await page.goBack()
    await isIn(page, 'Panel')
    await crumbs(page).getByRole('link', { name: 'Nested' }).click()
    await crumbs(page).waitFor({ state: 'detached' })

    const address = `/documents/${id}?cluster=${buildId(30)}/${buildId(40)}&node=${buildId(51)}`
    await page.goto(address)
    await page.locator('.react-flow__node.selected', { hasText: 'Py' }).waitFor()

    const visibility = { method: 'PATCH', body: { visibility: 'public' } }
    await app.ask(await app.owner(), `/documents/${id}`, visibility)
    const visitor = await app.open({ isSignedOut: true, ...PHONE })
    await visitor.goto(address)
    await isIn(visitor, 'Facade')
    await visitor.getByText('members of the team only').waitFor()
    await assertAccessible(visitor)
    await Promise.all([page, visitor].map((each) => each.context().close()))
  })

  test('[WEB-95] given a cluster file and a user object that documents have the names of, when their pages and these nodes are shown, then they have their contents and lead to each other, also on a phone', async () => {
    const owner = await app.owner()
    const { rootFolderId } = owner.me.teams[0]!
    const add = async (name: string, body: Uint8Array) => {
      const path = `/folders/${rootFolderId}/uploads?fileName=${encodeURIComponent(name)}`
      const answer = await app.ask(owner, path, { method: 'POST', body })
      return ((await answer.json()) as { upload: { fileId: string } }).upload.fileId
    }
    const panel = buildCluster({ id: 40, name: 'Panel', content: buildContent([createScript(51, 'Py')]) })
    const cluster = await add('Wall.ghcluster', createClusterFile('Wall', [panel]))
    const view = await add('View.ghuser', createScriptFile('Find View', 'print 1'))
    const wall = buildCluster({ id: 30, name: 'Wall', content: buildContent([panel]) })
    const house = await app.upload('House.gh', new Uint8Array(buildDefinition([wall])))
    const views = buildDefinition([createScript(52, 'Find View')])

    const page = await app.show(await app.upload('Views.gh', new Uint8Array(views)))
    const properties = page.getByRole('region', { name: 'Library items' })
    await findNode(page, 'Find View').dblclick()
    await properties.getByText('Has the name of View.ghuser, with other contents').waitFor()
    await assertAccessible(page)
    await page.goto(`/documents/${house}`)
    await findNode(page, 'Wall').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Properties' }).click()
    await properties.getByText('The same contents as Wall.ghcluster').waitFor()
    await properties.getByRole('link', { name: 'Wall.ghcluster' }).click()

    await page.getByRole('heading', { level: 1, name: 'Wall.ghcluster' }).waitFor()
    await page.getByRole('link', { name: 'House' }).waitFor()
    await findNode(page, 'Panel').waitFor()
    await findNode(page, 'Panel').dblclick()
    await isIn(page, 'Panel')
    assert.equal(new URL(page.url()).search, `?cluster=${buildId(40)}`)
    await findNode(page, 'Py').waitFor()
    await assertAccessible(page)
    await crumbs(page).getByRole('link', { name: 'Wall.ghcluster' }).click()
    await findNode(page, 'Panel').waitFor()
    await page.getByRole('link', { name: 'House' }).click()
    await page.getByText('1 node uses what you searched for.').waitFor()
    await page.context().close()

    const phone = await app.show(house, { ...PHONE, colorScheme: 'dark' })
    await phone.goto(`/files/${view}`)
    await phone.getByRole('region', { name: 'Source' }).getByText('print 1').waitFor()
    await phone.getByRole('link', { name: 'Views' }).waitFor()
    await assertAccessible(phone)
    await phone.goto(`/files/${cluster}`)
    await findNode(phone, 'Panel').waitFor()
    assert.equal(await phone.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width)
    await phone.context().close()
  })

  test('[WEB-92] given an imported document, when its file is asked for, then the panel says what it knows of it', async () => {
    const id = await app.upload('About.gh', createNested())
    const page = await app.show(id)
    await page.getByRole('button', { name: 'About the file' }).click()
    const panel = page.getByRole('complementary', { name: 'About the file' })
    await panel.getByText('About.gh', { exact: true }).waitFor()
    await panel.getByText('Plug-ins: none').waitFor()
    await assertAccessible(page)
    await page.context().close()
  })
})
