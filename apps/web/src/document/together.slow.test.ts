import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { addNodes, createNode, openLive } from '@meadow/client/live'
import type { Locator } from 'playwright-core'
import { findFreePort } from '../../../server/src/testing/find-free-port.ts'
import { createQuickFolder, removeQuickFolder } from '../../../server/src/testing/quick-folder.ts'
import { until } from '../../../server/src/testing/until.ts'
import { noBrowser } from '../testing/browser.ts'
import { KINDS } from '../testing/kinds.ts'
import { startAgain } from '../testing/start-again.ts'
import { startDemo } from '../testing/start-demo.ts'
import { startTunnel } from '../testing/start-tunnel.ts'
import { addNode, findNode, useEditor } from '../testing/use-editor.ts'

describe('people in one document', { skip: noBrowser }, () => {
  const where: Record<string, string> = {}
  let stopAgain: (() => Promise<void>) | undefined
  const start = async () => {
    where.MEADOW_DATA_DIR = await createQuickFolder('meadow-together-')
    where.MEADOW_PORT = String(await findFreePort())
    return startDemo({ env: where, solved: [] })
  }
  const app = useEditor(start, { drawsGeometry: false })
  let isCut = false
  afterEach(() => {
    // The browser logs each failed connection to the console.
    if (!isCut) app.checkTroubles()
  })
  after(async () => {
    await stopAgain?.()
    if (where.MEADOW_DATA_DIR) await removeQuickFolder(where.MEADOW_DATA_DIR)
  })

  test('[WEB-8, WEB-43] given two users in a document, when they edit, then they see each other’s presence, in one colour, and edits', async () => {
    const mira = await app.invite('Mira', 'member')
    const panel = createNode(KINDS.panel, { position: { x: 0, y: 0 }, nickName: 'Shared' })
    const id = await app.make('Together', (doc) => addNodes(doc, [panel]))
    const [one, two] = await Promise.all([app.show(id), app.show(id, { person: mira })])
    await one.getByRole('group', { name: 'Also here: Mira' }).waitFor()
    // Her cursor with her name, and her selection.
    await two.locator('.react-flow__pane').hover({ position: { x: 60, y: 60 } })
    const graph = one.getByRole('region', { name: 'Graph' })
    await graph.getByText('Mira', { exact: true }).waitFor()
    // As large at every zoom.
    const cursor = graph.getByText('Mira', { exact: true })
    const before = (await cursor.boundingBox())!
    const zoomed = await one.locator('.react-flow__viewport').getAttribute('style')
    await one.getByRole('button', { name: 'Zoom Out' }).click()
    await one.waitForFunction(
      (style) => document.querySelector('.react-flow__viewport')!.getAttribute('style') !== style,
      zoomed,
    )
    assert.ok(Math.abs((await cursor.boundingBox())!.height - before.height) < 1)
    await findNode(two, 'Shared').click({ position: { x: 8, y: 8 } })
    await graph.locator('[data-selected-by="Mira"]').waitFor()
    const colourOf = (of: Locator, property: string) =>
      of.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
    const avatar = one.getByRole('group', { name: 'Also here: Mira' }).locator('[title="Mira"]').first()
    const colour = await colourOf(avatar, 'background-color')
    assert.match(colour, /^rgb\(/)
    assert.equal(await colourOf(graph.getByText('Mira', { exact: true }), 'background-color'), colour)
    assert.equal(await colourOf(graph.locator('[data-selected-by="Mira"]'), 'border-top-color'), colour)

    await addNode(one, '"from one', { x: 30, y: 40 })
    await findNode(two, 'from one').waitFor()
    await addNode(two, '"from two', { x: 30, y: 420 })
    await findNode(one, 'from two').waitFor()
    // Undo reverts only one's own edits.
    await one.getByRole('button', { name: 'Undo' }).click()
    await findNode(two, 'from one').waitFor({ state: 'detached' })
    await two.getByRole('button', { name: 'Undo' }).click()
    await findNode(one, 'from two').waitFor({ state: 'detached' })
    await one.getByRole('button', { name: 'Redo' }).click()
    await findNode(two, 'from one').waitFor()
    assert.equal(await findNode(two, 'from two').count(), 0)
    await two.context().close()
    await one.getByRole('group', { name: /Also here/ }).waitFor({ state: 'detached' })
    await one.context().close()
  })

  test('[WEB-16] given a viewer with an account, when others edit, then they see the edits and can make none', async () => {
    const vera = await app.invite('Vera', 'viewer')
    const slider = createNode(KINDS.slider, { position: { x: 0, y: 0 }, nickName: 'Width' })
    const id = await app.make('Looked at', (doc) => addNodes(doc, [slider]))
    const page = await app.show(id, { person: vera })
    await page.getByRole('slider', { name: 'Width' }).waitFor()
    assert.equal(await page.getByRole('slider', { name: 'Width' }).isDisabled(), true)
    assert.equal(await page.getByRole('button', { name: /^(Solve|Undo|Redo)$/ }).count(), 0)
    await page.locator('.react-flow__pane').dblclick({ position: { x: 20, y: 20 } })
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await findNode(page, 'Width').click({ button: 'right', position: { x: 6, y: 6 } })
    await page.getByRole('menuitem', { name: 'Properties' }).waitFor()
    await app.edit(id, (doc) =>
      addNodes(doc, [createNode(KINDS.panel, { position: { x: 0, y: 80 }, nickName: 'New' })]),
    )
    await findNode(page, 'New').waitFor()
    assert.equal(await findNode(page, 'Width').count(), 1)
    assert.equal(await page.getByRole('combobox', { name: 'What to add' }).count(), 0)
    assert.equal(await page.getByRole('menuitem', { name: 'Delete' }).count(), 0)
    await page.context().close()
  })

  test('[WEB-71] given a browser that loses the network, when it has it again, then the page shows both at once, and the edits are saved', async () => {
    const id = await app.make('Underground')
    const page = await app.show(id)
    const banner = page.getByRole('status').filter({ hasText: 'No connection' })
    // The connection checker of the library, which would find out within half a minute, stands still.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    isCut = true
    await page.context().setOffline(true)
    await page.clock.runFor(100)
    await banner.waitFor()
    await page.context().setOffline(false)
    await page.clock.runFor(100)
    await banner.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('[WEB-71] given a network that is lost without a sign, when edits are made, then the connection is given up, and restored with the network', async (t) => {
    const id = await app.make('Cable pulled')
    const tunnel = await startTunnel(Number(where.MEADOW_PORT))
    t.after(tunnel.stop)
    const { cookie } = await app.owner()
    const live = await openLive({ address: tunnel.address, documentId: id, cookie })
    const changes: string[] = []
    live.on('status', (status) => changes.push(status))
    tunnel.setBroken(true)
    live.edit((doc) => addNodes(doc, [createNode(KINDS.panel, { position: { x: 0, y: 0 } })]))
    await until('the connection is given up', async () => live.status === 'reconnecting')
    tunnel.setBroken(false)
    await live.durable()
    assert.deepEqual(changes, ['reconnecting', 'open'])
    live.close()
  })

  test('[WEB-34, WEB-38] given a palette that could not be loaded at first, when the connection is lost later, then nodes can be added, and the window asks before it is closed', async () => {
    const id = await app.make('Offline')
    const page = await app.show(id)
    // No request of this page is under way when the next one begins to be counted.
    await page.goto('about:blank')
    let requests = 0
    await page.route('**/app/v1/palette', (route) => (requests++ === 0 ? route.abort() : route.continue()))
    const loaded = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/palette'))
    await page.goto(`/documents/${id}`)
    await page.locator('.react-flow__pane').hover()
    await loaded
    isCut = true
    await page.context().setOffline(true)
    await addNode(page, 'Ellipse', { x: 200, y: 200 })
    await findNode(page, 'Ellipse').waitFor()
    // The edit would be lost with the window.
    const [question] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })])
    assert.equal(question.type(), 'beforeunload')
    await question.dismiss()
    await page.context().setOffline(false)
    const other = await app.show(id)
    await findNode(other, 'Ellipse').waitFor()
    assert.equal(requests, 2)
    await Promise.all([page.context().close(), other.context().close()])
  })

  test('[WEB-376] given an open document, when somebody moves it to the bin, then its pages say so, and that edits without a connection are lost', async () => {
    const mona = await app.invite('Mona', 'member')
    const id = await app.make('Binned')
    const [page, offline] = await Promise.all([app.show(id), app.show(id, { person: mona })])
    // What adds nodes is loaded with the first one.
    await addNode(offline, '"kept', { x: 60, y: 300 })
    await findNode(page, 'kept').waitFor()
    isCut = true
    await offline.context().setOffline(true)
    await addNode(offline, '"lost', { x: 60, y: 60 })
    const owner = await app.owner()
    const body = { items: [{ kind: 'document', id }] }
    await app.ask(owner, `/teams/${owner.me.teams[0]!.id}/items/bin`, { method: 'POST', body })
    const gone = 'This document was deleted. It may be in the bin of its team.'
    await page.getByRole('alert').filter({ hasText: gone }).waitFor()
    assert.equal(await page.getByText('last edits').count(), 0)
    await offline.context().setOffline(false)
    const lost = 'Could not find that document. Your last edits were not saved.'
    await offline.getByRole('alert').filter({ hasText: lost }).waitFor()
    assert.equal(await findNode(offline, 'lost').count(), 0)
    await Promise.all([page.context().close(), offline.context().close()])
  })

  test('[WEB-376] given an edit without a connection, when its author becomes a viewer, then the page says that it is lost, and goes on with the document', async () => {
    const nora = await app.invite('Nora', 'member')
    const panel = createNode(KINDS.panel, { position: { x: 0, y: 0 }, nickName: 'Kept' })
    const id = await app.make('Looked at from now on', (doc) => addNodes(doc, [panel]))
    const page = await app.show(id, { person: nora })
    // What adds nodes is loaded with the first one.
    await addNode(page, '"first', { x: 60, y: 420 })
    isCut = true
    await page.context().setOffline(true)
    await addNode(page, '"lost', { x: 60, y: 60 })
    const owner = await app.owner()
    const member = `/teams/${owner.me.teams[0]!.id}/members/${nora.me.person.id}`
    const changed = await app.ask(owner, member, { method: 'PATCH', body: { role: 'viewer' } })
    assert.equal(changed.status, 200)
    await page.context().setOffline(false)
    const lost = /Your last edits were not saved\. The document was loaded again\.$/
    await page.getByRole('alert').filter({ hasText: lost }).waitFor()
    await findNode(page, 'Kept').waitFor()
    assert.equal(await findNode(page, 'lost').count(), 0)
    await page.context().close()
  })

  test('[WEB-34] given a server that is killed, when edits go on, then the page shows it, and the edits are saved after the restart', async () => {
    const id = await app.make('Interrupted')
    const page = await app.show(id, { drawsGeometry: true })
    // The code of the 3D view loads after the graph's, and may not be loaded when the server is killed.
    let isFirst = true
    await page.route(/\/model-view-[^/]+\.js$/, (route) => {
      if (!isFirst) return route.continue()
      isFirst = false
      return route.abort()
    })
    await page.reload()
    await addNode(page, '"before', { x: 60, y: 60 })
    isCut = true
    await app.demo.stop()
    const banner = page.getByRole('status').filter({ hasText: 'No connection' })
    await banner.waitFor()
    // The palette's data was loaded before.
    await addNode(page, '"meanwhile', { x: 60, y: 300 })
    stopAgain = await startAgain(where)
    await banner.waitFor({ state: 'detached' })
    const other = await app.show(id)
    await findNode(other, 'before').waitFor()
    await findNode(other, 'meanwhile').waitFor()
    await page.getByText('The geometry cannot be shown').waitFor()
    await page.reload()
    await page.getByText('There is no geometry to show.').waitFor()
    await Promise.all([page.context().close(), other.context().close()])
  })
})
