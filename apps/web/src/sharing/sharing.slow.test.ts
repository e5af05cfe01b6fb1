import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, test } from 'node:test'
import { addNodes, createNode } from '@meadow/client/live'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../testing/assert-accessible.ts'
import { noBrowser } from '../testing/browser.ts'
import { KINDS } from '../testing/kinds.ts'
import { shareDemo } from '../testing/share-demo.ts'
import { PHONE } from '../testing/start-app.ts'
import { findNode, useEditor } from '../testing/use-editor.ts'

describe('sharing', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  const makeDocument = (name: string) =>
    app.make(name, (doc) =>
      addNodes(doc, [createNode(KINDS.panel, { position: { x: 0, y: 0 }, nickName: 'Shown' })]),
    )

  const setVisibility = async (id: string, visibility: string) => {
    const owner = await app.owner()
    const { status } = await app.ask(owner, `/documents/${id}`, { method: 'PATCH', body: { visibility } })
    assert.equal(status, 200)
  }

  const openDialog = async (page: Page) => {
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Who can open it').waitFor()
    return dialog
  }

  test('[WEB-40] given a private document, when a member shares it and takes it back, then visitors see it without controls, and see when it ends', async () => {
    const id = await makeDocument('Pavilion')
    const page = await app.show(id, { permissions: ['clipboard-read', 'clipboard-write'] })
    const header = page.getByRole('banner')
    const dialog = await openDialog(page)
    assert.ok(await dialog.getByRole('radio', { name: 'Only the team' }).isChecked())
    await dialog.getByText('Without signing in they see').waitFor()
    await dialog.getByText('all other documents stay hidden').waitFor()
    // With the keyboard: the choice is saved when it is made.
    await dialog.getByRole('radio', { name: 'Only the team' }).focus()
    await page.keyboard.press('ArrowDown')
    await dialog
      .getByRole('radio', { name: 'Anyone with the player’s link' })
      .and(page.locator(':checked'))
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await dialog.getByText('Both', { exact: true }).waitFor()
    const link = await dialog.getByTestId('share-link').textContent()
    await dialog.getByRole('button', { name: 'Copy' }).first().click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link)
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await header.getByText('Public', { exact: true }).waitFor()
    await page.locator('button:focus', { hasText: 'Share' }).waitFor()

    const visitor = await app.open({ isSignedOut: true, colorScheme: 'dark', ...PHONE })
    await visitor.clock.install()
    await visitor.goto(link!)
    await findNode(visitor, 'Shown').waitFor()
    const controls = visitor.getByRole('button', { name: /^(Share|Script|Export|Solve|Undo|Redo)$/ })
    assert.equal(await controls.count(), 0)
    assert.deepEqual(await visitor.getByRole('banner').getByRole('link').allTextContents(), ['Sign in'])
    await assertAccessible(visitor)
    const [needed, there] = await visitor.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ])
    assert.ok(needed! <= there!, `${needed} wide`)
    await app.edit(id, (doc) =>
      addNodes(doc, [createNode(KINDS.panel, { position: { x: 0, y: 90 }, nickName: 'Later' })]),
    )
    await visitor.clock.fastForward('00:16')
    await findNode(visitor, 'Later').waitFor()

    await openDialog(page)
    await dialog.getByRole('radio', { name: 'Only the team' }).check()
    await header.getByText('Public', { exact: true }).waitFor({ state: 'detached' })
    await visitor.clock.fastForward('00:16')
    await visitor.getByRole('heading', { name: 'No longer shared' }).waitFor()
    assert.equal(await findNode(visitor, 'Shown').count(), 0)
    await assertAccessible(visitor)
    await Promise.all([visitor.context().close(), page.context().close()])
  })

  test('[WEB-18, WEB-40] given a list of documents, when one is shared from its menu, then it is marked; a failure is shown with the sentence of the server', async () => {
    const [kept, gone] = [await makeDocument('Kept'), await makeDocument('Gone')]
    const page = await app.show(kept)
    await page.goto('/')
    const openMenu = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
      await page.getByRole('menuitem', { name: 'Share' }).click()
      await page.getByRole('dialog').getByText('Who can open it').waitFor()
    }
    await openMenu('Kept')
    await page.getByRole('radio', { name: 'Anyone with the link' }).check()
    const row = page.locator('tr', { hasText: 'Kept' })
    await row.getByText('Public', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await openMenu('Gone')
    await app.ask(await app.owner(), `/documents/${gone}`, { method: 'DELETE' })
    await page.getByRole('radio', { name: 'Anyone with the link' }).click()
    await page.getByRole('alert').filter({ hasText: 'Could not find that document.' }).waitFor()
    await page.context().close()
  })

  test('[WEB-16, WEB-40] given a viewer, when they open the dialog, then they see the choice and cannot change it', async () => {
    const id = await makeDocument('Looked at')
    await setVisibility(id, 'public')
    const page = await app.show(id, { person: await app.invite('Vera', 'viewer'), colorScheme: 'dark' })
    const dialog = await openDialog(page)
    const [team, anyone] = [
      dialog.getByRole('radio', { name: 'Only the team' }),
      dialog.getByRole('radio', { name: 'Anyone with the link' }),
    ]
    assert.deepEqual(
      [await anyone.isChecked(), await anyone.isDisabled(), await team.isDisabled()],
      [true, true, true],
    )
    await dialog.getByText('Only members and owners of the team can change this.').waitFor()
    await assertAccessible(page)
    await page.context().close()
  })

  test('[WEB-41] given a page of another origin, when it frames documents, then a public one is shown without a session, and nothing else is', async (t) => {
    const [shown, hidden] = [await makeDocument('Framed'), await makeDocument('Hidden')]
    await setVisibility(shown, 'public')
    const page = await app.show(shown)
    const dialog = await openDialog(page)
    await dialog.getByText('Large', { exact: true }).click()
    const code = (await dialog.getByTestId('embed-code').textContent())!
    assert.match(code, /width="1200" height="700"/)
    const { address } = app.demo
    const frames = [
      code,
      `<iframe name="hidden" src="${address}/embed/${hidden}"></iframe>`,
      `<iframe name="page" src="${address}/documents/${shown}"></iframe>`,
      `<iframe name="encoded" src="${address}/%65mbed/${hidden}"></iframe>`,
    ]
    const html = `<!doctype html><title>A page</title>${frames.join('')}`
    const site = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(html),
    ).listen(0, '127.0.0.1')
    t.after(() => site.close())
    await once(site, 'listening')
    const cookies: string[] = []
    // The browser sends the session to frames of the same host, whatever the port: it must not be used.
    page.on('request', (request) => {
      if (!request.url().includes('/app/')) return
      void request.allHeaders().then(({ cookie }) => cookie && cookies.push(request.url()))
    })
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    const frame = page.frameLocator('iframe[title="Framed"]')
    await frame.locator('.react-flow__node', { hasText: 'Shown' }).waitFor()
    // Between them is the state of the document.
    assert.match(await frame.getByRole('banner').innerText(), /^Framed\n[^\n]+\nOpen in Meadow$/)
    assert.equal(await frame.getByRole('banner').getByRole('link').count(), 1)
    await frame.locator('.react-flow__pane').dblclick({ position: { x: 30, y: 300 } })
    assert.equal(await frame.getByRole('combobox').count(), 0)
    for (const name of ['hidden', 'encoded'])
      await page
        .frameLocator(`iframe[name="${name}"]`)
        .getByRole('heading', { name: 'Not available' })
        .waitFor()
    assert.deepEqual(cookies, [])
    assert.throws(() => app.checkTroubles(), /frame-ancestors 'none'/)

    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      frame.getByRole('link', { name: 'Open in Meadow' }).click(),
    ])
    await opened.getByRole('button', { name: 'Share' }).waitFor()
    await opened.goto(`${address}/embed/${shown}`)
    await opened.locator('.react-flow__node', { hasText: 'Shown' }).waitFor()
    await assertAccessible(opened)
    await page.context().close()
  })
})
