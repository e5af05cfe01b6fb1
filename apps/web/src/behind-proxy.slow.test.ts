import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findFreePort } from '../../server/src/testing/find-free-port.ts'
import { assertAccessible, COLOUR_RULES, findFaults } from './testing/assert-accessible.ts'
import { noBrowser } from './testing/browser.ts'
import { PHONE, signIn, useApp } from './testing/start-app.ts'
import { startDemo } from './testing/start-demo.ts'
import { startProxy, type TestProxy } from './testing/start-proxy.ts'

const PATH = '/tools/meadow'

describe('the app under a path of its own', { skip: noBrowser }, () => {
  let proxy: TestProxy
  const app = useApp(
    async () => {
      const port = await findFreePort()
      proxy = await startProxy(PATH, port)
      return startDemo({ env: { MEADOW_PORT: String(port), MEADOW_BASE_URL: proxy.address }, solved: [] })
    },
    { drawsGeometry: false },
  )
  after(() => proxy?.stop())
  afterEach(() => app.checkTroubles())

  /** Signs in on the way to a page, and opens a document. */
  async function openDocument(page: Page): Promise<void> {
    await page.goto(`${app.demo.address}/teams/x/settings/tokens?y=1`)
    await page.getByRole('heading', { name: 'Sign in to Meadow' }).waitFor()
    await signIn(page, app.demo)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await page.getByRole('link', { name: 'Go to your team' }).click()
    await page.getByRole('heading', { level: 1, name: 'Atelier Meadow (demo)' }).waitFor()
    assert.match(new URL(page.url()).pathname, /^\/tools\/meadow\/teams\/team_\w+$/)
    await page.getByRole('searchbox').fill('Truss')
    const results = page.getByRole('search').getByRole('listitem')
    await results.getByRole('link', { name: 'Truss' }).first().click()
    await page.locator('.react-flow__node').first().waitFor()
  }

  test('[WEB-17] given a proxy that keeps the path, when the app is used, then all requests are below it', async () => {
    proxy.setStripping(false)
    const page = await app.open({ isSignedOut: true })
    await openDocument(page)
    await page.context().close()
  })

  test('[WEB-17] given a proxy that strips the path, when the app is used, then all requests are below it', async () => {
    proxy.setStripping(true)
    const page = await app.open({ isSignedOut: true })
    await openDocument(page)
    const session = (await page.context().cookies()).find(({ name }) => name.includes('session_token'))
    assert.deepEqual([session?.path, session?.httpOnly, session?.sameSite], [PATH, true, 'Lax'])
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Script' }).click()
    await page.getByText(`${app.demo.address}/api/v1/documents/`).first().waitFor()

    await page.goto(`${app.demo.address}/`)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = (await page.getByTestId('invitation').textContent())!.trim()
    assert.ok(link.startsWith(`${app.demo.address}/invitation#`), link)
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Meadow' }).waitFor()
    assert.equal(new URL(page.url()).pathname, `${PATH}/sign-in`)
    await page.goto(link)
    await page.getByRole('heading', { name: 'Join Atelier Meadow (demo)' }).waitFor()
    await page.context().close()
  })

  test('[WEB-17, WEB-76] given the reference page, when it is searched, its examples are read and a request is sent, then all work, and axe finds nothing, also in the colours of a dark phone', async () => {
    const page = await app.open({ isSignedOut: true })
    await page.goto(`${app.demo.address}/docs#readSolution-409`)
    await page.getByText('This document has never been solved').first().waitFor()

    await page.keyboard.press('/')
    await page.keyboard.type('sources')
    await page.getByRole('link', { name: 'Node.sources' }).click()
    await page.getByText('what feeds it, in wire order').last().waitFor()
    assert.match(page.url(), /#schema-Node\.sources$/)

    await page.locator('#readTeam').getByRole('tab', { name: 'Python' }).click()
    const python = page.locator('#readDocument').getByRole('tabpanel')
    assert.match((await python.textContent())!, new RegExp(`API = "${app.demo.address}/api/v1"`))

    await page.getByRole('button', { name: 'Expand all' }).click()
    const folder = page.locator('#readFolder')
    await folder.getByText('Send a request from this page').click()
    await folder.getByLabel('API token').fill(app.demo.token)
    await folder.getByRole('textbox', { name: 'folderId' }).fill('root')
    await folder.getByRole('button', { name: 'Send' }).click()
    await folder.getByRole('status').getByText('200 OK').waitFor()
    await assertAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize(PHONE.viewport)
    assert.deepEqual(await findFaults(page, { onlyRules: COLOUR_RULES }), [])
    const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.equal(width, 0)
    await page.context().close()
  })
})
