import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { afterEach, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { addNodes, createNode } from '@meadow/client/live'
import type { GraphContent } from '@meadow/contract'
import type { Page } from 'playwright-core'
import { createDefinitionFile } from '../../../server/src/testing/definition-file.ts'
import { assertAccessible } from '../testing/assert-accessible.ts'
import { noBrowser } from '../testing/browser.ts'
import { KINDS } from '../testing/kinds.ts'
import { createScripted } from '../testing/scripted.ts'
import { shareDemo } from '../testing/share-demo.ts'
import { findNode, useEditor } from '../testing/use-editor.ts'
import { waitForMiddle } from '../testing/wait-for-middle.ts'

describe('the document page', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  const solved = (page: Page) => page.getByText('Solved', { exact: true }).waitFor()
  const selected = (page: Page) => page.locator('.react-flow__node.selected')

  /** The graph of a document, read through the API. */
  async function readDocument(id: string): Promise<GraphContent> {
    const headers = { authorization: `Bearer ${app.demo.token}` }
    const answer = await fetch(`${app.demo.address}/api/v1/documents/${id}`, { headers })
    return ((await answer.json()) as { document: GraphContent }).document
  }

  test('[WEB-35] given a document, when the splitter between graph and geometry is moved, then its position is remembered', async () => {
    const page = await app.show(await app.make('Two panes'))
    const graph = page.getByRole('region', { name: 'Graph' })
    const before = (await graph.boundingBox())!.width
    const bar = page.getByRole('separator')
    await bar.focus()
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowLeft')
    const width = async () => (await graph.boundingBox())!.width
    const after = await width()
    assert.ok(after < before - 10, `${before} became ${after}`)
    await page.reload()
    await graph.waitFor()
    assert.ok(Math.abs((await width()) - after) < 2)
    await page.getByText('Graph', { exact: true }).click()
    await page.getByRole('region', { name: 'Geometry' }).waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('[WEB-35] given an empty document, when it is opened, then it shows how to begin', async () => {
    const page = await app.show(await app.make('Nothing yet'))
    await page.getByText('Double-click to add a component').waitFor()
    await page.context().close()
  })

  test('[WEB-7, WEB-10, WEB-36] given geometry, when it is clicked, then its node is selected, and a selected node highlights its geometry', async () => {
    const sphere = createNode(KINDS.sphere, { position: { x: 0, y: 0 } })
    const panel = createNode(KINDS.panel, { position: { x: 0, y: 100 }, nickName: 'Beside' })
    const id = await app.make('One sphere', (doc) => addNodes(doc, [sphere, panel]))
    const page = await app.show(id, { drawsGeometry: true })
    await solved(page)
    const canvas = page.getByLabel(/^The geometry of the solution/)
    await page.getByRole('button', { name: 'Fit the view' }).click()
    const plain = await waitForMiddle(
      page,
      canvas,
      ([red, green, blue]) => Math.abs(red! - blue!) < 40 && green! < 230,
    )
    const { width, height } = (await canvas.boundingBox())!
    await canvas.click({ position: { x: width / 2, y: height / 2 } })
    await selected(page).filter({ hasText: 'Sph' }).waitFor()
    const lit = await waitForMiddle(page, canvas, ([red, green]) => green! > red! + 50)
    assert.notDeepEqual(lit, plain)
    // A click on the background clears the selection. Then select in the graph.
    await canvas.click({ position: { x: 20, y: height - 20 } })
    await selected(page).waitFor({ state: 'detached' })
    await waitForMiddle(page, canvas, ([red, green]) => green! < red! + 50)
    await findNode(page, 'Sph').click({ position: { x: 20, y: 4 } })
    await waitForMiddle(page, canvas, ([red, green]) => green! > red! + 50)
    await page.context().close()
  })

  async function exportAs(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name }).click()
  }

  test('[WEB-14] given a document, when its script is shown, then its curl commands work', async () => {
    const page = await app.show(await app.make('Truss bridge'))
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Script' }).click()
    const lines = await page.getByRole('tabpanel').locator('pre').textContent()
    const [choice, line] = lines!.split('\n')
    const { stdout } = await promisify(execFile)('sh', ['-c', `${choice}\n${line} -s`], {
      env: { PATH: '/usr/bin:/bin', MEADOW_TOKEN: app.demo.token },
    })
    assert.equal(JSON.parse(stdout).document.name, 'Truss bridge')
    await page.context().close()
  })

  test('[WEB-7] given a solution with messages, when one is clicked, then its node is shown', async () => {
    const node = createNode(KINDS.divideCurve, { position: { x: 0, y: 0 }, nickName: 'Without a curve' })
    const id = await app.make('With a fault', (doc) => addNodes(doc, [node]))
    const page = await app.show(id)
    await page.getByRole('button', { name: /1 warning/ }).click()
    await page.getByRole('complementary', { name: 'State' }).getByText('Without a curve').click()
    await selected(page).filter({ hasText: 'Without a curve' }).waitFor()
    await page.context().close()
  })

  test('[WEB-7] given a document that was never solved, when it is opened, then it is solved and credits are spent', async () => {
    const owner = await app.owner()
    const id = await app.uploadDemo('branching-column', 'Never solved')
    const readCredits = async () => {
      const answer = await app.ask(owner, `/documents/${id}`)
      return ((await answer.json()) as { document: { creditTenths: number; solve: string } }).document
    }
    const before = await readCredits()
    assert.equal(before.solve, 'never')
    const page = await app.show(id)
    await solved(page)
    assert.ok((await readCredits()).creditTenths < before.creditTenths)
    await page.context().close()
  })

  test('[WEB-7] given a first answer that is older than the end of the solve, when it arrives after it, then the page shows the end', async () => {
    const id = await app.make('Late answer')
    const page = await app.open()
    const [asked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.routeWebSocket(/\/live/, (socket) => {
      const server = socket.connectToServer()
      server.onMessage(async (message) => {
        const end = '"state":"solved"'
        if (!message.includes(end)) return socket.send(message)
        // The page reads the solution once it knows of a solve. On a slow machine the first it hears of may be the end.
        const earlier = Buffer.from(message).toString('latin1').replace(end, '"state":"queued"')
        socket.send(Buffer.from(earlier, 'latin1'))
        await asked.promise
        socket.send(message)
        ended.resolve()
      })
    })
    let isFirst = true
    await page.route(`**/documents/${id}/solution`, async (route) => {
      if (!isFirst) return route.continue()
      isFirst = false
      asked.resolve()
      await ended.promise
      await route.fulfill({ json: { solve: 'never', reason: null, solution: null } })
    })
    await page.goto(`/documents/${id}`)
    await solved(page)
    await page.context().close()
  })

  test('[WEB-37] given a definition with a script, a plug-in and a missing component, when it is opened, then they are listed by reason, and a choice selects the node', async () => {
    const id = await app.upload('Robots.gh', createDefinitionFile({ unsolvable: true }).slice())
    const page = await app.show(id)
    await page.getByRole('button', { name: 'Partial: 1 of 4 nodes' }).click()
    const list = page.getByRole('complementary', { name: 'State' })
    const groups = ['Scripts are not run', 'Plug-in Robots 1.6.9', /^Import 3DM is not supported: /]
    for (const [index, name] of ['Layout', 'Robot', 'Import 3DM'].entries())
      await list.getByRole('region', { name: groups[index]! }).getByRole('button', { name }).waitFor()
    await assertAccessible(page)
    await list.getByRole('button', { name: 'Robot' }).click()
    await selected(page).filter({ hasText: 'Robot' }).waitFor()
    await page.context().close()
  })

  test('[WEB-7] given a document with a script, when it is opened, then it is partly solved, and what depends on the script looks unknown', async () => {
    const page = await app.show(
      await app.make('Scripted', (doc) => addNodes(doc, createScripted('Relaxation'))),
    )
    await page.getByText(/^Partial: \d+ of \d+ nodes$/).waitFor()
    await page.locator('.react-flow__node [data-state="unsupported"]').first().waitFor()
    assert.ok((await page.locator('[data-state="unknown"]').count()) > 0)
    await page.context().close()
  })

  test('[WEB-16] given a public document, when it is opened without an account, then it is shown and cannot be changed', async () => {
    const nodes = [0, 80].map((y) => createNode(KINDS.panel, { position: { x: 0, y } }))
    const id = await app.make('Public', (doc) => addNodes(doc, nodes))
    await app.solve(id)
    const made = await app.ask(await app.owner(), `/documents/${id}`, {
      method: 'PATCH',
      body: { visibility: 'public' },
    })
    assert.equal(made.status, 200)
    const page = await app.open({ isSignedOut: true })
    await page.goto(`/documents/${id}`)
    await page.locator('.react-flow__node').first().waitFor()
    await solved(page)
    assert.equal(await page.getByRole('button', { name: /^(Solve|Export|Undo)$/ }).count(), 0)
    const before = await readDocument(id)
    // Nodes come and go with what the canvas shows, so those of now are looked for.
    const shown = await page
      .locator('.react-flow__node')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-id')))
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.locator('.react-flow__pane').dblclick({ position: { x: 20, y: 20 } })
    assert.equal(await page.getByRole('combobox', { name: 'What to add' }).count(), 0)
    for (const node of shown) assert.equal(await page.locator(`[data-id="${node}"]`).count(), 1, String(node))
    assert.deepEqual(await readDocument(id), before)
    await page.context().close()
  })

  test('[WEB-9] given an uploaded definition, when it is opened and exported again, then the file has the same content', async () => {
    const page = await app.show(await app.uploadDemo('branching-column', 'Again'))
    await solved(page)
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      exportAs(page, 'Grasshopper definition'),
    ])
    assert.equal(again.suggestedFilename(), 'Again.gh')
    await page.goto('/')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'Once more.gh', mimeType: '', buffer: await readFile(await again.path()) })
    await page.getByRole('table').getByRole('link', { name: 'Once more' }).waitFor()
    const [uploaded, exported] = await Promise.all(
      ['Again', 'Once more'].map(async (name) => readDocument(await app.findDocument(name))),
    )
    assert.ok(Object.keys(uploaded!.nodes).length > 5)
    assert.deepEqual(exported!.nodes, uploaded!.nodes)
    assert.deepEqual(exported!.groups, uploaded!.groups)
    await page.context().close()
  })
})
