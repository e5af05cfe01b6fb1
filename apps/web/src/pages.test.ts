import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from './testing/assert-accessible.ts'
import { noBrowser } from './testing/browser.ts'
import { signIn, useApp } from './testing/start-app.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

describe('the pages around the editor', { skip: noBrowser }, () => {
  const app = useApp()
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

  test('[WEB-1] given nobody who is signed in, when a page is opened, then it comes after signing in', async () => {
    const page = await app.open({ isSignedOut: true })
    await page.goto('/account')
    await page.getByLabel('E-mail').fill(app.demo.email)
    await page.locator('input[type=password]').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').filter({ hasText: 'do not belong together' }).waitFor()
    await app.keepPicture(page, 'sign-in')
    await signIn(page, app.demo)
    assert.equal(new URL(page.url()).pathname, '/account')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Meadow' }).waitFor()
    await page.goto('/')
    await page.getByRole('heading', { name: 'Sign in to Meadow' }).waitFor()
    await page.context().close()
  })

  test('[WEB-2] given a team, when folders are made, renamed, moved and deleted, then all is where it should be', async () => {
    const page = await app.open()
    await page.getByRole('heading', { level: 1, name: 'Atelier Meadow (demo)' }).waitFor()
    await app.keepPicture(page, 'folders')
    await makeFolder(page, 'Sketches')
    await makeFolder(page, 'Old things')

    await choose(page, 'Sketches', 'Rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('Sketchbook')
    await page.getByRole('button', { name: 'Rename' }).click()
    await row(page, 'Sketchbook').waitFor()

    await row(page, 'Sketchbook').dragTo(row(page, 'Old things'))
    await row(page, 'Sketchbook').waitFor({ state: 'detached' })
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
    await page.getByText('The bin is empty.').waitFor()
    await page.getByRole('link', { name: 'Folders' }).click()
    await row(page, 'Sketchbook').waitFor()
    await page.context().close()
  })

  test('[WEB-3] given a name, when it is typed, then what the search of the API finds is there', async () => {
    const page = await app.open()
    await page.getByRole('searchbox').fill('TOWER')
    const { documents } = await (await read('/documents?q=TOWER', app.demo.token)).json()
    assert.ok(documents.length > 0)
    for (const { name } of documents) await page.getByRole('search').getByRole('link', { name }).waitFor()
    await page.getByRole('searchbox').fill('nothing of that name')
    await page.getByText('No document has').waitFor()
    await page.context().close()
  })

  test('[WEB-4] given files, when they are uploaded, then definitions are there and others say why not', async () => {
    const page = await app.open()
    await makeFolder(page, 'Uploads')
    await page.getByRole('table').getByRole('link', { name: 'Uploads' }).click()
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor()
    const files = page.locator('input[type=file]')
    await files.setInputFiles({ name: 'Broken.gh', mimeType: '', buffer: Buffer.from('no definition') })
    await page
      .getByRole('region', { name: 'Uploads' })
      .getByText(/cannot be read/)
      .waitFor()
    const { documents } = await (await read('/documents?q=Truss', app.demo.token)).json()
    const asked = await (await read(`/documents/${documents[0].id}/export?format=.gh`, app.demo.token)).json()
    const file = Buffer.from(await (await fetch(asked.export.url)).arrayBuffer())
    await files.setInputFiles({ name: 'Truss again.gh', mimeType: '', buffer: file })
    await row(page, 'Truss again').waitFor()
    await page.context().close()
  })

  test('[WEB-5] given the team settings, when a token is made, used and revoked, then it lets in, and then no more', async () => {
    const page = await app.open()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'API tokens' }).click()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Nightly report')
    await page.getByRole('button', { name: 'Make the token' }).click()
    const secret = (await page.getByTestId('secret').textContent())!.trim()
    await app.keepPicture(page, 'token')
    assert.equal((await read('/team', secret)).status, 200)
    // As a script in the page would: tokens, and no session, are what the API takes.
    const inPage = await page.evaluate(
      (token) =>
        fetch('/api/v1/team', { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status),
      secret,
    )
    assert.equal(inPage, 200)
    await page.getByRole('button', { name: 'I have it' }).click()
    assert.equal(await page.getByText(secret).count(), 0)
    await page.getByRole('button', { name: 'Revoke Nightly report' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row(page, 'Nightly report').getByText('revoked').waitFor()
    assert.equal((await read('/team', secret)).status, 401)
    await page.context().close()
  })

  test('[WEB-6, WEB-16] given an invitation, when somebody new follows it, then they are in, as what it says', async () => {
    const page = await app.open()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'Members' }).click()
    await page.getByRole('combobox', { name: 'Role', exact: true }).click()
    await page.getByRole('option', { name: 'Viewer' }).click()
    await page.getByRole('button', { name: 'Make a link' }).click()
    const link = (await page.getByTestId('invitation').textContent())!.trim()
    const guest = await app.open({ isSignedOut: true })
    await guest.goto(link)
    await guest.getByLabel('Your name').fill('Vera')
    await guest.getByLabel('E-mail').fill('vera@example.org')
    await guest.locator('input[type=password]').fill('a long enough one')
    await guest.getByRole('button', { name: 'Make an account and join' }).click()
    await guest.getByRole('heading', { level: 1, name: 'Atelier Meadow (demo)' }).waitFor()
    assert.equal(await guest.getByRole('button', { name: 'New document' }).count(), 0)
    assert.equal(await guest.getByRole('link', { name: 'Bin' }).count(), 0)
    await guest.context().close()
    await page.context().close()
  })

  test('[WEB-10, WEB-11] given every page, in light and dark and on a phone, then axe finds nothing serious', async () => {
    for (const options of [{ colorScheme: 'light' }, { colorScheme: 'dark', ...PHONE }] as const) {
      const page = await app.open({ isSignedOut: true, ...options })
      await page.goto('/sign-in')
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      await assertAccessible(page)
      await signIn(page, app.demo)
      const root = new URL(page.url()).pathname
      const places = ['', '/bin', '/settings', '/settings/members', '/settings/tokens', '/settings/credits']
      for (const place of places) {
        await page.goto(root.replace(/\/$/, '') + place)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.getByLabel('Loading').waitFor({ state: 'detached' })
        await assertAccessible(page)
        const { scrollWidth, clientWidth } = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement
          return { scrollWidth, clientWidth }
        })
        assert.ok(scrollWidth <= clientWidth, `${place} is ${scrollWidth} wide`)
      }
      await page.context().close()
    }
  })
})
