import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import type { Locator, Page, Route } from 'playwright-core'
import { createDefinitionFile } from '../../server/src/testing/definition-file.ts'
import { createLayeredModelFile, createUserObjectFile } from '../../server/src/testing/library-files.ts'
import { assertAccessible, findFaults } from './testing/assert-accessible.ts'
import { noBrowser } from './testing/browser.ts'
import { dropFiles } from './testing/drop-files.ts'
import { PHONE, signIn, useApp } from './testing/start-app.ts'
import { startDemo } from './testing/start-demo.ts'

describe('the pages around the editor', { skip: noBrowser }, () => {
  const app = useApp(() => startDemo({ solved: [] }), { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  const read = (path: string, token: string) =>
    fetch(`${app.demo.address}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })

  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

  async function choose(page: Page, name: string, action: string) {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  async function makeFolder(page: Page, name: string) {
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('button', { name: 'Create' }).click()
    await row(page, name).waitFor()
  }

  test('[WEB-1] given no session, when a page is opened, then it is shown after signing in', async () => {
    const page = await app.open({ isSignedOut: true })
    await page.goto('/account')
    await page.getByLabel('E-mail').fill(app.demo.email)
    await page.locator('input[type=password]').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').filter({ hasText: 'password is wrong' }).waitFor()
    await signIn(page, app.demo)
    assert.equal(new URL(page.url()).pathname, '/account')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Meadow' }).waitFor()
    await page.goto('/')
    await page.getByRole('heading', { name: 'Sign in to Meadow' }).waitFor()
    await page.context().close()
  })

  test('[WEB-1] given a session that ends during use, when the user goes on, then they are sent to sign in and return to the same page', async () => {
    const page = await app.open({ isSignedOut: true })
    await page.goto('/sign-in')
    await signIn(page, app.demo)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'Members' }).click()
    await page.getByRole('table', { name: 'Members' }).waitFor()
    const { pathname } = new URL(page.url())
    await page.evaluate(() => fetch('/app/v1/sign-out', { method: 'POST' }))
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('heading', { name: 'Sign in to Meadow' }).waitFor()
    await signIn(page, app.demo)
    await page.getByRole('table', { name: 'Members' }).waitFor()
    assert.equal(new URL(page.url()).pathname, pathname)
    await page.context().close()
  })

  test('[WEB-18] given a server that cannot be reached, when the user goes on, then the page shows the error, keeps its data, and retries on demand', async () => {
    const page = await app.open({ isShared: true })
    const table = page.getByRole('table', { name: 'Contents' })
    await table.getByRole('link', { name: 'Archive' }).waitFor()
    const unreachable = page.getByRole('main').getByRole('alert').filter({ hasText: 'cannot be reached' })
    let isReachable = false
    await page.route('**/app/v1/folders/*', (route) => (isReachable ? route.continue() : route.abort()))
    await table.getByRole('link', { name: 'Archive' }).click()
    await unreachable.first().waitFor()
    isReachable = true
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Archive' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Structures' }).click()
    await unreachable.first().waitFor()
    // With the network, what is missing comes by itself.
    await page.context().setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'Structures' }).waitFor()
    await page.close()
  })

  test('[WEB-372] given a server that does not answer, when a folder is opened, then the page says so after a while, and asks again on demand', async () => {
    const page = await app.open()
    await page.getByRole('table', { name: 'Contents' }).waitFor()
    await page.clock.install()
    const isAsked = Promise.withResolvers<void>()
    await page.route('**/app/v1/folders/*', () => isAsked.resolve(), { times: 1 })
    await page.getByRole('table').getByRole('link', { name: 'Structures' }).click()
    await isAsked.promise
    const main = page.getByRole('main')
    await main.getByLabel('Loading').waitFor()
    assert.equal(await main.getByText('has not answered').count(), 0)
    await page.clock.fastForward('00:11')
    await main.getByText('The server has not answered yet.').waitFor()
    await main.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Structures' }).waitFor()
    await page.context().close()
  })

  test('[WEB-2] given a team, when folders are created, renamed, moved and deleted, then the tree and the pages show it', async () => {
    const page = await app.open({ isShared: true })
    await page.getByRole('heading', { level: 1, name: 'Atelier Meadow (demo)' }).waitFor()
    await makeFolder(page, 'Sketches')
    await makeFolder(page, 'Old things')

    await choose(page, 'Sketches', 'Rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('Sketchbook')
    await page.getByRole('button', { name: 'Rename' }).click()
    await row(page, 'Sketchbook').waitFor()

    await row(page, 'Sketchbook').dragTo(row(page, 'Old things'))
    await row(page, 'Sketchbook').waitFor({ state: 'detached' })
    const inTree = page.getByRole('navigation', { name: 'Folders' })
    await row(page, 'Old things').dragTo(inTree.getByRole('link', { name: 'Archive' }))
    await row(page, 'Old things').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Expand Archive' }).click()
    await row(page, 'Archive').dragTo(inTree.getByRole('link', { name: 'Old things' }))
    await page.getByRole('status').filter({ hasText: 'into itself' }).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('table').getByRole('link', { name: 'Archive' }).click()
    await page.getByRole('table').getByRole('link', { name: 'Old things' }).click()
    await row(page, 'Sketchbook').waitFor()

    await choose(page, 'Sketchbook', 'Move')
    await page.getByRole('combobox', { name: 'To the folder' }).click()
    await page.getByRole('option', { name: 'Atelier Meadow (demo)', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
    await row(page, 'Sketchbook').waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Folders' }).click()
    await choose(page, 'Sketchbook', 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row(page, 'Sketchbook').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Bin' }).click()
    await page.getByRole('button', { name: 'Restore Sketchbook' }).click()
    await page.getByRole('button', { name: 'Restore Sketchbook' }).waitFor({ state: 'detached' })
    await page.locator('#main :focus').waitFor()
    await page.getByText('The bin is empty.').waitFor()
    await page.getByRole('link', { name: 'Folders' }).click()
    await row(page, 'Sketchbook').waitFor()
    await page.close()
  })

  test('[WEB-3] given a name, when it is typed, then the results are those of the API search', async () => {
    const page = await app.open({ isShared: true })
    for (const q of ['TOWER', ' BRIDGE']) {
      await page.getByRole('searchbox').fill(q)
      const { documents } = await (await read(`/documents?q=${encodeURIComponent(q)}`, app.demo.token)).json()
      assert.ok(documents.length > 0)
      for (const { name } of documents) await page.getByRole('search').getByRole('link', { name }).waitFor()
      // Each has a link to its state, too.
      assert.equal(await page.getByRole('search').getByRole('listitem').count(), documents.length)
    }
    await page.getByRole('searchbox').fill('nothing of that name')
    await page.getByText('No document or file has').waitFor()
    await page.close()
  })

  test('[WEB-242] given a search, when arrows, Enter and Escape are pressed, then they move through the results, open one and end the search', async () => {
    const page = await app.open({ isShared: true })
    const field = page.getByRole('searchbox')
    const hits = page.getByRole('search').getByRole('link', { name: /bridge/i })
    await field.waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('bridge')
    await hits.first().waitFor()
    const isFocused = (at: Locator) => at.evaluate((element) => element === document.activeElement)
    await page.keyboard.press('ArrowDown')
    assert.ok(await isFocused(hits.first()))
    await page.keyboard.press('ArrowUp')
    assert.ok(await isFocused(field))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    assert.ok(!(await isFocused(hits.first())) && !(await isFocused(field)))
    await page.keyboard.press('Escape')
    assert.ok(await isFocused(field))
    assert.equal(await field.inputValue(), '')
    assert.equal(await hits.count(), 0)
    // Before the results are there.
    await page.keyboard.type('truss')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Truss bridge' }).waitFor()
    await page.close()
  })

  test('[WEB-322] given a search, then its results lie over the page, with what was looked for marked as the server compares names, until something else is chosen', async () => {
    const page = await app.open(PHONE)
    await app.make('Straße 北区 TOWER')
    const field = page.getByRole('searchbox')
    const heading = page.getByRole('heading', { level: 1 })
    const before = await heading.boundingBox()
    const search = page.getByRole('search')
    await field.fill('STRASSE')
    await search.locator('mark').getByText('Straße', { exact: true }).waitFor()
    await app.make('İstanbul ferry')
    await field.fill('istanbul')
    await search.locator('mark').getByText('İstanbul', { exact: true }).waitFor()
    await field.fill('STRASSE')
    await search.getByRole('status').getByText('1 found').waitFor({ state: 'attached' })
    assert.deepEqual(await heading.boundingBox(), before)
    // The results cover a part of the buttons below them.
    const faults = await findFaults(page)
    assert.deepEqual(
      faults.filter((fault) => !fault.startsWith('target-size')),
      [],
    )
    await field.fill('e 北区 t')
    await search.locator('mark').getByText('e 北区 T', { exact: true }).waitFor()
    await page.mouse.click(180, 700)
    await search.getByRole('link').first().waitFor({ state: 'detached' })
    assert.equal(await field.inputValue(), 'e 北区 t')
    await field.focus()
    await search.getByRole('link').first().waitFor()
    const needed = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(needed <= PHONE.viewport.width)
    await page.context().close()
  })

  test('[WEB-3, WEB-99] given a search that takes long, then nothing can be chosen where the first result appears', async () => {
    const page = await app.open()
    const asked = Promise.withResolvers<Route>()
    await page.route('**/search?*', asked.resolve)
    await page.getByRole('searchbox').fill('tower')
    const search = page.getByRole('search')
    await search.getByText('Searching …').waitFor()
    const route = await asked.promise
    assert.equal(await search.getByRole('link').count(), 0)
    await route.continue()
    await search.getByRole('link', { name: /tower/i }).first().waitFor()
    const links = await search.getByRole('link').allTextContents()
    assert.ok(links.length > 1)
    assert.equal(links.at(-1), 'Documents that use “tower”')
    await page.context().close()
  })

  test('[WEB-4] given files, when they are uploaded, then definitions become documents and others show an error', async () => {
    const page = await app.open({ isShared: true })
    await makeFolder(page, 'Uploads')
    await page.getByRole('table').getByRole('link', { name: 'Uploads' }).click()
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor()
    const files = page.locator('input[type=file]')
    await files.setInputFiles({ name: 'Broken.gh', mimeType: '', buffer: Buffer.from('no definition') })
    await page
      .getByRole('region', { name: 'Uploads' })
      .getByText(/cannot be read/)
      .waitFor()
    await files.setInputFiles({
      ...{ name: 'Truss again.gh', mimeType: '', buffer: Buffer.from(createDefinitionFile()) },
    })
    await row(page, 'Truss again').waitFor()
    await page.close()
  })

  test('[WEB-70] given files and folders, when they are dropped on any page, then definitions are imported or refused with a reason, and the browser follows none', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'meadow-drop-'))
    t.after(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'Tower', 'Roof'), { recursive: true })
    const [one, inside, notes] = ['One.gh', 'Tower/Roof/Two.gh', 'Notes.md'].map((path) => join(folder, path))
    await Promise.all([one, inside].map((path) => writeFile(path!, createDefinitionFile())))
    await writeFile(notes!, 'Not a definition')
    const page = await app.open({ isShared: true })
    await page.getByRole('heading', { level: 1, name: 'Atelier Meadow (demo)' }).waitFor()
    const address = page.url()
    const refused = (reason: string) => page.getByRole('status').filter({ hasText: reason }).waitFor()
    // On the head of the page, outside of the list.
    await dropFiles(page, [one!, join(folder, 'Tower'), notes!], { x: 700, y: 20 }, async () => {
      await page
        .getByText('Drop definitions and models to import them into “Atelier Meadow (demo)”')
        .waitFor()
    })
    await refused(
      'Only .gh, .ghx, .3dm, .ghuser, .ghcluster, .txt and .csv files can be imported. Left out: Notes.md.',
    )
    await row(page, 'One').waitFor()
    const uploads = page.getByRole('region', { name: 'Uploads' })
    await uploads.getByText('Two was imported.').waitFor()
    assert.equal(page.url(), address)
    await page.getByRole('table').getByRole('link', { name: 'Tower', exact: true }).click()
    await page.getByRole('table').getByRole('link', { name: 'Roof' }).click()
    await page.getByRole('table').getByRole('link', { name: 'Two' }).click()
    await page.locator('.react-flow__pane').waitFor()
    await dropFiles(page, [one!])
    await uploads.getByRole('link', { name: 'One' }).click()
    await page.getByRole('heading', { level: 1, name: 'One' }).waitFor()
    await page.getByRole('link', { name: 'Back to the folder' }).click()
    await page.getByRole('heading', { level: 1, name: 'Roof' }).waitFor()
    for (const path of ['/account', '/nothing']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await dropFiles(page, [one!])
      await refused('Files are imported by dropping them on the page of a folder.')
      assert.equal(new URL(page.url()).pathname, path)
    }
    await page.close()
  })

  test('[WEB-86, WEB-87, WEB-88, WEB-89, WEB-90] given a model and a user object, when they are uploaded, opened, found, renamed, moved, deleted and restored, then they are shown with what they say about themselves, also on a phone', async () => {
    const page = await app.open()
    await makeFolder(page, 'Library')
    await page.getByRole('table').getByRole('link', { name: 'Library' }).click()
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor()
    await page.locator('input[type=file]').setInputFiles([
      { name: 'Plot.3dm', mimeType: '', buffer: Buffer.from(await createLayeredModelFile('Trees')) },
      { name: 'Find View.ghuser', mimeType: '', buffer: Buffer.from(createUserObjectFile()) },
      { name: 'Broken.3dm', mimeType: '', buffer: Buffer.from('no model') },
    ])
    const uploads = page.getByRole('region', { name: 'Uploads' })
    await uploads.getByText('it is not a .3dm file').waitFor()
    await assertAccessible(page)
    await uploads.getByRole('button', { name: 'Dismiss the uploads' }).click()
    await row(page, 'Find View.ghuser')
      .getByText(/^User object, /)
      .filter({ visible: true })
      .waitFor()
    await assertAccessible(page)

    await row(page, 'Plot.3dm').getByRole('link', { name: 'Plot.3dm' }).click()
    await page.getByRole('heading', { level: 1, name: 'Plot.3dm' }).waitFor()
    await page.getByText('Meters, tolerance').waitFor()
    await page.getByText('1 curve').waitFor()
    const layer = page.getByRole('table', { name: 'Layers' }).getByRole('row', { name: 'Trees' })
    assert.equal(await layer.getByRole('cell').last().textContent(), '1')
    await assertAccessible(page)
    const arrived = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    assert.equal((await arrived).suggestedFilename(), 'Plot.3dm')
    await page.setViewportSize(PHONE.viewport)
    const width = await page.evaluate('document.documentElement.scrollWidth')
    assert.equal(width, PHONE.viewport.width)
    await page.setViewportSize({ width: 1280, height: 800 })
    await choose(page, 'Plot.3dm', 'Rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('Garden')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { level: 1, name: 'Garden.3dm' }).waitFor()

    await page.getByRole('link', { name: 'Library' }).click()
    await page.getByRole('searchbox').fill('garden')
    await page.getByRole('search').getByRole('link', { name: 'Garden.3dm' }).waitFor()
    await page.getByRole('searchbox').fill('')
    await page.getByRole('link', { name: 'Find View.ghuser' }).click()
    await page.getByText('Finds a view').waitFor()
    await page.getByText('Revit › Custom').waitFor()
    await page.getByRole('img', { name: 'The icon' }).waitFor()
    await assertAccessible(page)
    await choose(page, 'Find View.ghuser', 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor()
    await row(page, 'Garden.3dm').waitFor()
    await row(page, 'Find View.ghuser').waitFor({ state: 'detached' })
    await row(page, 'Garden.3dm').dragTo(page.getByRole('link', { name: 'Structures' }))
    await row(page, 'Garden.3dm').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Bin' }).click()
    await row(page, 'Find View.ghuser')
      .getByText(/^file · from Library/)
      .waitFor()
    await page.getByRole('button', { name: 'Restore Find View.ghuser' }).click()
    await row(page, 'Find View.ghuser').waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('[WEB-5, WEB-370, WEB-371] given the team settings, when a token is created, copied where there is no clipboard, used and revoked, then it works until it is revoked', async () => {
    const page = await app.open({ isShared: true })
    // As on a page without TLS.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'API tokens' }).click()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Nightly report')
    await page.getByRole('button', { name: 'Create token' }).click()
    const secret = (await page.getByTestId('secret').textContent())!.trim()
    assert.equal((await read('/team', secret)).status, 200)
    const { origin } = new URL(page.url())
    assert.equal(
      (await page.getByTestId('npx').textContent())!.trim(),
      `MEADOW_URL=${origin} MEADOW_TOKEN=${secret} npx -y ${origin}/downloads/meadow.tgz tree`,
    )
    const link = page.getByRole('link', { name: 'lines for TypeScript, Python and AI agents' })
    assert.equal(await link.getAttribute('href'), `${origin}/downloads/`)
    // The API accepts tokens and no sessions.
    const inPage = await page.evaluate(
      (token) =>
        fetch('/api/v1/team', { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status),
      secret,
    )
    assert.equal(inPage, 200)
    await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    assert.equal(await page.getByText(secret).count(), 0)
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('textbox', { name: 'Name' }).press('Control+v')
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), secret)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Revoke Nightly report' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row(page, 'Nightly report').getByText('revoked').waitFor()
    assert.equal((await read('/team', secret)).status, 401)
    await page.close()
  })

  test('[TOK-26] given the team settings, when a token is limited to a folder, then it is listed with it, and reads nothing else', async () => {
    const page = await app.open({ isShared: true })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'API tokens' }).click()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Site office')
    await page.getByRole('radio', { name: 'Only some folders' }).click()
    const create = page.getByRole('button', { name: 'Create token' })
    assert.ok(await create.isDisabled())
    await page.getByRole('dialog').getByRole('combobox', { name: 'Folders' }).fill('struct')
    await page.getByRole('option', { name: '/ Structures' }).first().click()
    await create.click()
    const secret = (await page.getByTestId('secret').textContent())!.trim()
    await page.getByRole('button', { name: 'Done' }).click()
    await row(page, 'Site office').getByText('only in Structures').waitFor()
    const { folder } = await (await read('/folders/root', secret)).json()
    assert.deepEqual(
      [folder.folders.map(({ name }: { name: string }) => name), folder.documents],
      [['Structures'], []],
    )
    await page.close()
  })

  test('[WEB-19] given a team without limits and with them, when its settings are opened, then they show its storage and the limits', async () => {
    const page = await app.open({ isShared: true })
    await page.getByRole('link', { name: 'Settings' }).click()
    const storage = page.getByRole('region', { name: 'Storage' })
    await storage.getByText(/^[\d.,]+ [KM]B$/).waitFor()
    assert.equal(await storage.getByRole('progressbar').count(), 0)
    const [, team] = /teams\/([^/]+)/.exec(page.url())!
    await app.demo.run('team', 'limits', team!, '--bytes', '10GB', '--documents', '5000')
    await page.reload()
    await storage.getByText(/^[\d.,]+ [KM]B of 10 GB$/).waitFor()
    await storage.getByText(/^\d+ of 5,000$/).waitFor()
    assert.equal(await storage.getByRole('progressbar').count(), 2)
    await assertAccessible(page)
    await app.demo.run('team', 'limits', team!, '--bytes', '1', '--documents', '1')
    await page.reload()
    await storage.getByText(/^\d+ of 1$/).waitFor()
    await app.demo.run('team', 'limits', team!, '--bytes', 'none', '--documents', 'none')
    await page.close()
  })

  test('[WEB-83, WEB-84] given a folder on the disk that the operator registered and ran, when its folder and the settings are opened, then they show its state, what changed and what failed', async (t) => {
    const files = await mkdtemp(join(tmpdir(), 'meadow-mirror-'))
    t.after(() => rm(files, { recursive: true }))
    await writeFile(join(files, 'Canopy.gh'), createDefinitionFile())
    await writeFile(join(files, 'broken.gh'), '')
    const page = await app.open()
    await makeFolder(page, 'From the disk')
    await row(page, 'From the disk').getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'From the disk' }).waitFor()
    const [, team, folder] = /teams\/(\w+)\/folders\/(\w+)/.exec(page.url())!
    await app.demo.run('mirror', 'add', files, '--team', team!, '--folder', folder!, '--name', 'Share')
    // One of the files cannot be read.
    await assert.rejects(app.demo.run('mirror', 'run', '--all'), { code: 1 })
    await page.reload()
    const mark = page.getByRole('link', { name: `Mirror: incomplete. Mirrors ${files}` })
    await mark.waitFor()
    await assertAccessible(page)
    await mark.click()
    const card = page.getByRole('region', { name: 'Share' })
    await card.getByText('1 file could not be imported.').waitFor()
    await card.getByRole('button', { name: 'What changed' }).click()
    await card.getByRole('row').filter({ hasText: 'broken.gh' }).getByText('The file is empty').waitFor()
    await assertAccessible(page)
    await card.getByRole('link', { name: 'Canopy.gh' }).click()
    await page.getByRole('heading', { level: 1, name: 'Canopy' }).waitFor()
    await page.context().close()
  })

  test('[WEB-6, WEB-16] given an invitation, when a new user accepts it, then they join with its role', async () => {
    const page = await app.open({ isShared: true })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'Members' }).click()
    await page.getByRole('combobox', { name: 'Role', exact: true }).click()
    await page.getByRole('option', { name: 'Viewer' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = (await page.getByTestId('invitation').textContent())!.trim()
    const invited = await app.open({ isSignedOut: true })
    await invited.goto(link)
    await invited.getByLabel('Your name').fill('Vera')
    await invited.getByLabel('E-mail').fill('vera@example.org')
    await invited.locator('input[type=password]').fill('a long enough one')
    await invited.getByRole('button', { name: 'Create account and join' }).click()
    await invited.getByRole('heading', { level: 1, name: 'Atelier Meadow (demo)' }).waitFor()
    assert.equal(await invited.getByRole('button', { name: 'New document' }).count(), 0)
    assert.equal(await invited.getByRole('link', { name: 'Bin' }).count(), 0)
    await invited.context().close()
    await page.close()
  })

  test('[WEB-42] given an invitation, when a person with an account opens it, then they sign in, can switch, and join; where they cannot, the page says why', async () => {
    const page = await app.open({ isShared: true })
    /** What the owner gets; `path` is relative to that of the team. */
    const ask = (method: string, path: string, body?: object) =>
      page.evaluate(
        async ({ method, path, body }) => {
          const { teams } = await (await fetch('/app/v1/me')).json()
          const answer = await fetch(`/app/v1/teams/${teams[0].id}${path}`, {
            method,
            ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
          })
          return answer.status === 204 ? undefined : answer.json()
        },
        { method, path, body },
      )
    const invite = async (): Promise<string> => (await ask('POST', '/invitations', { role: 'member' })).url
    const account = { name: 'Sam', email: 'sam@example.org', password: 'a long enough one' }
    const accepted = await fetch(`${app.demo.address}/app/v1/invitations/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret: new URL(await invite()).hash.slice(1), account }),
    })
    const { me } = (await accepted.json()) as { me: { person: { id: string } } }
    await ask('DELETE', `/members/${me.person.id}`)

    const sam = await app.open({ isSignedOut: true, ...PHONE })
    const link = await invite()
    await sam.goto(link)
    await sam.getByLabel('Your name').fill(account.name)
    await sam.getByLabel('E-mail').fill(account.email)
    await sam.locator('input[type=password]').fill(account.password)
    await sam.getByRole('button', { name: 'Create account and join' }).click()
    await sam
      .getByRole('alert')
      .filter({ hasText: 'There is an account with that e-mail address.' })
      .waitFor()
    await sam.getByRole('button', { name: 'Sign in with this address' }).click()
    assert.equal(await sam.getByLabel('E-mail').inputValue(), account.email)
    await assertAccessible(sam)
    const enter = async () => {
      await sam.getByLabel('E-mail').fill(account.email)
      await sam.locator('input[type=password]').fill(account.password)
      await sam.getByRole('button', { name: 'Sign in', exact: true }).click()
      await sam.getByText(`You are signed in as ${account.email}.`).waitFor()
    }
    await enter()
    await assertAccessible(sam)
    await sam.getByRole('button', { name: 'Use another account' }).click()
    await sam.getByText('I have an account').click()
    await enter()
    await sam.getByRole('button', { name: 'Join as Sam' }).click()
    await sam.getByRole('heading', { level: 1, name: 'Atelier Meadow (demo)' }).waitFor()

    for (const [address, sentence] of [
      [link, 'This invitation was used'],
      [link.split('#')[0]!, 'This is not the whole link'],
    ] as const) {
      await sam.goto('/account')
      await sam.goto(address)
      await sam.getByRole('alert').filter({ hasText: sentence }).waitFor()
    }
    await sam.goto('/account')
    await sam.goto(await invite())
    await sam.getByRole('button', { name: 'Join as Sam' }).click()
    await sam.getByRole('alert').filter({ hasText: 'You are in this team already.' }).waitFor()
    await sam.getByRole('link', { name: 'Go to your team' }).click()
    await sam.getByRole('heading', { level: 1, name: 'Atelier Meadow (demo)' }).waitFor()
    await sam.context().close()
    await page.close()
  })
})
