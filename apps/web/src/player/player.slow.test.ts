import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, test } from 'node:test'
import { addNodes, connect, createNode } from '@meadow/client/live'
import { CLUSTER } from '@meadow/document'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../testing/assert-accessible.ts'
import { noBrowser } from '../testing/browser.ts'
import { KINDS } from '../testing/kinds.ts'
import { shareDemo } from '../testing/share-demo.ts'
import { PHONE } from '../testing/start-app.ts'
import { findNode, useEditor } from '../testing/use-editor.ts'
import { waitForMiddle } from '../testing/wait-for-middle.ts'

describe('player', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo)
  afterEach(() => app.checkTroubles())

  /** A sphere whose radius is a slider, and a panel that shows the slider. */
  const makeSphere = (name: string) =>
    app.make(name, (doc) => {
      const [radius, sphere, panel] = [
        createNode(KINDS.slider, { position: { x: 0, y: 0 }, nickName: 'Radius' }),
        createNode(KINDS.sphere, { position: { x: 300, y: 0 } }),
        createNode(KINDS.panel, { position: { x: 300, y: 120 }, nickName: 'Size' }),
      ]
      const sum = createNode(KINDS.addition, { position: { x: 300, y: 240 } })
      const doubled = createNode(KINDS.panel, { position: { x: 600, y: 240 }, nickName: 'Doubled (m)' })
      addNodes(doc, [radius, sphere, panel, sum, doubled])
      const from = { nodeInstanceId: radius.instanceId, portInstanceId: radius.instanceId }
      const portOf = (node: typeof sphere, name: string) => ({
        nodeInstanceId: node.instanceId,
        portInstanceId:
          Object.keys(node.ports).find((id) => node.ports[id]!.name === name) ?? node.instanceId,
      })
      connect(doc, { from, to: portOf(sphere, 'Radius') })
      connect(doc, { from, to: portOf(panel, '') })
      connect(doc, { from, to: portOf(sum, 'A') })
      connect(doc, { from, to: portOf(sum, 'B') })
      const result = { nodeInstanceId: sum.instanceId, portInstanceId: Object.keys(sum.outputs)[0]! }
      connect(doc, { from: result, to: portOf(doubled, '') })
    })

  /** What is seen is what the inputs give. */
  const isCurrent = (page: Page) =>
    page.locator('section[aria-label=Geometry]:not([data-stale]) [data-drawn]')

  const share = async (id: string, visibility = 'public') => {
    const body = { visibility }
    const { status } = await app.ask(await app.owner(), `/documents/${id}`, { method: 'PATCH', body })
    assert.equal(status, 200)
  }

  test('[WEB-160, WEB-161, WEB-162, WEB-163, WEB-164, WEB-166, WEB-203, WEB-204, WEB-205, WEB-247] given a document, when its inputs are pinned and the link with other values is sent, then a visitor sees these values, writes nothing and exports nothing, until it is private', async () => {
    const id = await makeSphere('Ball')
    const page = await app.show(id, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByTitle('What is solved, and what is missing').getByText('Solved').waitFor()
    await page.getByRole('button', { name: 'Player' }).click()
    const panel = page.getByRole('complementary', { name: 'Player' })
    await panel.getByRole('button', { name: 'Pin all 3 of them' }).click()
    await panel.getByLabel('Label of Radius').waitFor()
    await assertAccessible(page)
    const link = await panel.getByTestId('play-link').textContent()
    const sizes = panel.getByRole('region', { name: 'Results' }).getByRole('textbox')
    const labels = () =>
      sizes.evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))
    assert.deepEqual(await labels(), ['Size', 'Doubled (m)'])
    await panel.locator('[data-handle="Doubled (m)"]').dragTo(panel.getByLabel('Label of Size'))
    await panel.getByRole('button', { name: 'Move Doubled (m) up' }).and(page.locator(':disabled')).waitFor()
    assert.deepEqual(await labels(), ['Doubled (m)', 'Size'])
    await page.keyboard.press('Escape')
    await findNode(page, 'Radius').getByRole('img', { name: 'pinned to the player' }).waitFor()
    await share(id)

    const visitor = await app.open({ isSignedOut: true, colorScheme: 'dark', ...PHONE })
    const writes: string[] = []
    const workers: string[] = []
    visitor.on('request', (request) => {
      if (request.method() !== 'GET') writes.push(request.url())
      if (request.url().includes('preview.worker')) workers.push(request.url())
    })
    await visitor.goto(`${link}?Nothing=1`)
    await isCurrent(visitor).waitFor()
    await visitor.getByText('“Nothing” is no input of this page.').waitFor()
    assert.equal(await visitor.getByRole('combobox', { name: 'Export' }).count(), 0)
    assert.deepEqual(workers, [])
    const loaded = visitor.waitForRequest(/preview\.worker/)
    await visitor.getByRole('slider', { name: 'Radius' }).focus()
    await loaded
    await visitor.getByRole('textbox', { name: 'Radius, as a number' }).fill('0.75')
    await visitor.getByText('Preview', { exact: true }).waitFor()
    await isCurrent(visitor).waitFor()
    await visitor.getByRole('definition').getByText('0.75').waitFor()
    await visitor.getByRole('definition').getByText('1.5\u00a0m').waitFor()
    await visitor.waitForURL(/\?Radius\.\w{4}=0\.75$/)
    await assertAccessible(visitor)
    const [needed, there] = await visitor.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ])
    assert.ok(needed! <= there!, `${needed} wide`)
    const sent = visitor.url()
    await visitor.getByRole('button', { name: 'Reset', exact: true }).click()
    await visitor.getByRole('definition').getByText('0.25').waitFor()
    await visitor.waitForURL(link!)
    await visitor.goBack()
    await visitor.getByRole('definition').getByText('0.75').waitFor()
    assert.deepEqual(writes, [])

    // Whichever of its requests is refused tells the page.
    await visitor.route(`**/documents/${id}`, (route) => route.abort())
    await app.ask(await app.owner(), `/documents/${id}`, {
      method: 'PATCH',
      body: { visibility: 'private' },
    })
    await page.goto(sent)
    await page.getByRole('definition').getByText('0.75').waitFor()
    await isCurrent(page).waitFor()
    for (const [format, start] of [
      ['glb', 'glTF'],
      ['obj', 'o '],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('combobox', { name: 'Export' }).selectOption(format),
      ])
      assert.equal(download.suggestedFilename(), `Ball.${format}`)
      const bytes = await text(await download.createReadStream())
      assert.ok(bytes.startsWith(start), bytes.slice(0, 20))
    }

    const cluster = { ...createNode(KINDS.addition, { position: { x: 0, y: 300 } }), templateId: CLUSTER }
    await app.edit(id, (doc) => addNodes(doc, [cluster]))
    await page.reload()
    await page.getByText('The document has a cluster, which only the server can compute.').waitFor()
    assert.equal(await page.getByRole('slider').count(), 0)
    await assertAccessible(page)
    await visitor.getByRole('heading', { name: 'No longer shared' }).waitFor()
    assert.equal(await visitor.getByRole('button', { name: 'Copy link' }).count(), 0)
    await Promise.all([page.context().close(), visitor.context().close()])
  })

  test('[WEB-374, WEB-251, WEB-40] given a document that is shared as its player, when a visitor opens its links, then they see the pinned inputs, the results and the geometry as they are stored, and no solver, graph or export, until it is private', async () => {
    const id = await makeSphere('Kept')
    const page = await app.show(id)
    await page.getByTitle('What is solved, and what is missing').getByText('Solved').waitFor()
    await page.getByRole('button', { name: 'Player' }).click()
    const panel = page.getByRole('complementary', { name: 'Player' })
    await panel.getByRole('button', { name: 'Pin all 3 of them' }).click()
    await panel.getByLabel('Label of Radius').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Anyone with the player’s link' }).check()
    assert.match((await dialog.getByTestId('embed-code').textContent())!, /\/embed\/doc_\w+\/play"/)
    await dialog.getByText('Only the player opens for everyone').waitFor()
    await assertAccessible(page)
    const link = (await dialog.getByTestId('player-link').textContent())!
    await page.keyboard.press('Escape')
    await page.getByRole('banner').getByText('Player', { exact: true }).first().waitFor()

    const visitor = await app.open({ isSignedOut: true, ...PHONE })
    const asked: string[] = []
    visitor.on('response', (response) => {
      if (response.url().includes('/app/v1/') && response.ok()) asked.push(response.url())
      if (/preview\.worker/.test(response.url())) asked.push(response.url())
    })
    await visitor.goto(`${link}?Radius=0.75`)
    await isCurrent(visitor).waitFor()
    await visitor.getByText('The values in the link cannot be used').waitFor()
    await visitor.getByText('The inputs cannot be changed here').waitFor()
    assert.deepEqual(await visitor.locator('[data-input]').allInnerTexts(), ['Radius\n\n0.250'])
    await visitor.getByRole('definition').getByText('0.25', { exact: true }).waitFor()
    await visitor.getByRole('definition').getByText('0.5\u00a0m').waitFor()
    for (const name of ['Graph', 'Export', 'Reset'])
      assert.equal(await visitor.getByText(name, { exact: true }).count(), 0, name)
    assert.equal(await visitor.getByRole('slider').count(), 0)
    assert.deepEqual(new Set(asked.map((url) => url.split('/').at(-1))), new Set(['player', 'player-scene']))
    await assertAccessible(visitor)
    await visitor.goto(link.replace('/play/', '/documents/'))
    await visitor
      .getByRole('heading', { name: 'Sign in' })
      .or(visitor.getByText('not shared with you'))
      .first()
      .waitFor()
    await visitor.goto(`${link.replace('/play/', '/embed/')}/play`)
    await isCurrent(visitor).waitFor()
    await visitor.goto(link)
    await isCurrent(visitor).waitFor()
    await share(id, 'private')
    await visitor.getByRole('heading', { name: 'No longer shared' }).waitFor()
    await visitor.getByRole('link', { name: 'Sign in' }).waitFor()
    await page.goto('/play/doc_0123456789abcdef')
    await page.getByText('There is no player at this address').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Sign in' }).count(), 0)
    await page.getByRole('link', { name: 'Go to your documents' }).click()
    await page.getByRole('table', { name: 'Contents' }).waitFor()
    await Promise.all([page.context().close(), visitor.context().close()])
  })

  test('[WEB-57, WEB-162] given a link with a value that makes the geometry larger than what the stored solution is seen at, when it is opened, then all of it is in view', async () => {
    const id = await makeSphere('Grown')
    const editor = await app.show(id)
    await editor.getByTitle('What is solved, and what is missing').getByText('Solved').waitFor()
    await editor.context().close()
    const page = await app.open({ at: `/play/${id}?Radius=1` })
    await page.getByRole('definition').getByText('1', { exact: true }).waitFor()
    await isCurrent(page).waitFor()
    const { x, y } = (await page.locator('[data-drawn]').boundingBox())!
    const clip = { x: x + 8, y: y + 8, width: 8, height: 8 }
    const corner = { screenshot: () => page.screenshot({ clip }) }
    // The background is light, and the sphere is shaded.
    await waitForMiddle(page, corner, (colour) => colour.every((part) => part > 240))
    await page.context().close()
  })

  test('[WEB-164, WEB-235] given a link with other values that cannot be computed, when it is opened, then header and state both speak of the stored solution, and no button is cut or covered', async () => {
    const id = await makeSphere('Stuck')
    const editor = await app.show(id)
    await editor.getByTitle('What is solved, and what is missing').getByText('Solved').waitFor()
    await editor.context().close()
    const page = await app.open({ viewport: { width: 360, height: 740 } })
    // A script that never comes: the solver is not there, and nothing says so.
    let isOver = () => {}
    const over = new Promise<void>((resolve) => {
      isOver = resolve
    })
    await page.route(/preview\.worker/, async (route) => {
      await over
      await route.continue()
    })
    await page.goto(`/play/${id}?Radius=0.75`)
    const state = page.getByRole('region', { name: 'Geometry' }).getByRole('status')
    await state.getByText('What you see is the stored solution.').waitFor()
    await state.getByRole('button', { name: 'Stop' }).click()
    await state.getByText('Stopped before it was computed. What you see is the stored').waitFor()
    assert.equal(await page.getByText('Preview', { exact: true }).count(), 0)
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 740 })
      const hidden = await page.evaluate(
        () =>
          [...document.querySelectorAll('button, select')].filter((control) => {
            const { left, top, width, height } = control.getBoundingClientRect()
            const isInWindow = top + height <= innerHeight
            const above = document.elementFromPoint(left + width / 2, top + height / 2)
            const label = control.querySelector('.mantine-Button-label') ?? control
            return (isInWindow && !control.contains(above)) || label.scrollWidth > label.clientWidth
          }).length,
      )
      assert.equal(hidden, 0, `${width} px`)
    }
    isOver()
    await page.context().close()
  })

  test('[WEB-160, WEB-165] given a document without pins, when its player is in a frame of another page, then it shows the usual inputs and uses no session, and the page itself cannot be framed', async () => {
    const id = await makeSphere('Framed')
    await share(id)
    const { address } = app.demo
    const html = `<!doctype html><title>Blog</title><iframe name="open" src="${address}/embed/${id}/play?Radius=0.5" width="700" height="500"></iframe><iframe name="closed" src="${address}/play/${id}"></iframe>`
    const blog = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(html),
    ).listen(0, 'localhost')
    await once(blog, 'listening')
    const page = await app.open()
    const cookies: string[] = []
    page.on('request', async (request) => {
      const isInFrame = request.frame() !== page.mainFrame() && request.url().includes('/app/v1/')
      if (isInFrame && (await request.headerValue('cookie'))) cookies.push(request.url())
    })
    await page.goto(`http://localhost:${(blog.address() as AddressInfo).port}/`)
    const frame = page.frameLocator('iframe[name="open"]')
    await frame.getByRole('slider', { name: 'Radius' }).waitFor()
    await frame.getByRole('definition').getByText('0.5', { exact: true }).waitFor()
    await frame.locator('section[aria-label=Geometry]:not([data-stale]) [data-drawn]').waitFor()
    assert.equal(await frame.getByText('Nothing is pinned').count(), 0)
    assert.match(
      (await frame.getByRole('link', { name: 'Open in Meadow' }).getAttribute('href'))!,
      new RegExp(`/play/${id}\\?Radius`),
    )
    assert.deepEqual(cookies, [])
    blog.close()
    assert.throws(() => app.checkTroubles(), /frame-ancestors 'none'|asked/)
    await page.context().close()
  })
})
