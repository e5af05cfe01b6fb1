import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterEach, before, describe, test } from 'node:test'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { until } from '../../../server/src/testing/until.ts'
import { assertAccessible } from '../testing/assert-accessible.ts'
import { noBrowser } from '../testing/browser.ts'
import { fillFolder } from '../testing/fill-folder.ts'
import { shareDemo } from '../testing/share-demo.ts'
import { PHONE } from '../testing/start-app.ts'
import { useEditor } from '../testing/use-editor.ts'

const MANY = 10_000
/** Of the rows that are in the page; each has some ten elements. */
const MOST_ROWS = 300

describe('the library', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  before(async () => {
    const owner = await app.owner()
    const path = `/folders/${owner.me.teams[0]!.rootFolderId}/folders`
    const make = (name: string) => app.ask(owner, path, { method: 'POST', body: { name } })
    const mira = await app.invite('Mira', 'member')
    const document = { method: 'POST', body: { name: 'Branching column' } }
    const hers = app.ask(mira, `/folders/${owner.me.teams[0]!.rootFolderId}/documents`, document)
    await Promise.all([make('Structures'), make('Archive'), hers])
  })
  afterEach(() => app.checkTroubles())

  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const box = (page: Page, name: string) =>
    page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
  const selected = (page: Page, count: string) =>
    page.getByRole('region', { name: 'Selected items' }).getByText(`${count} selected`).waitFor()
  const firstName = (page: Page) => page.locator('[data-index="0"] [data-item-link]').textContent()

  const fill = async (name: string, count: number) =>
    fillFolder(app.demo.dataDir, (await app.owner()).me.teams[0]!.id, name, count)

  async function openFolder(page: Page, id: string, query = '') {
    const { me } = await app.owner()
    await page.goto(`/teams/${me.teams[0]!.id}/folders/${id}${query}`)
    await page.getByLabel('Contents', { exact: true }).waitFor()
  }

  test('[WEB-190, WEB-191, WEB-248, WEB-194, WEB-197, WEB-217] given a folder with 10,000 documents, when it is scrolled, sorted, filtered by name and selected with the keyboard, then few of them are in the page, all can be reached, and the keyboard goes on where it was', async () => {
    const id = await fill('Many', MANY)
    const page = await app.open()
    await openFolder(page, id)
    const table = page.getByRole('table', { name: 'Contents' })
    assert.equal(await table.getAttribute('aria-rowcount'), String(MANY + 1))
    const countRows = () => page.locator('[data-index]').count()
    assert.ok((await countRows()) < MOST_ROWS, `${await countRows()} rows`)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2))
    await row(page, 'Tower 5000').first().waitFor()
    assert.ok((await countRows()) < MOST_ROWS, `${await countRows()} rows in the middle`)
    await page.evaluate(() => scrollTo(0, 0))

    await page.getByRole('link', { name: 'Tower 1', exact: true }).focus()
    await page.keyboard.press('End')
    await page
      .locator('a:focus')
      .filter({ hasText: `Tower ${MANY}` })
      .waitFor()
    assert.equal(await row(page, `Tower ${MANY}`).getAttribute('aria-rowindex'), String(MANY + 1))
    await page.keyboard.press('Shift+ArrowUp')
    await selected(page, '2')
    await page.keyboard.press('Control+a')
    await selected(page, '10,000')
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Selected items' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Home')
    await page
      .locator('a:focus')
      .filter({ hasText: /^Tower 1$/ })
      .waitFor()

    // Its line leaves the page; what has the focus comes back with it, and the arrows go on from there.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2))
    await page.getByRole('link', { name: 'Tower 1', exact: true }).waitFor({ state: 'detached' })
    await page.evaluate(() => scrollTo(0, 0))
    await page
      .locator('a:focus')
      .filter({ hasText: /^Tower 1$/ })
      .waitFor()
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2))
    await page.getByRole('link', { name: 'Tower 1', exact: true }).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await page
      .locator('a:focus')
      .filter({ hasText: /^Tower 2$/ })
      .waitFor()

    await page.keyboard.press('Control+f')
    await page.locator('input:focus[aria-label="Filter the list"]').waitFor()
    await page.keyboard.type('tower 9999')
    await until('the list is filtered', async () => (await countRows()) === 1)
    await assertAccessible(page)
    await page.keyboard.press('Escape')

    const sizes = page.getByRole('row').getByText(/^\d+ bytes$/)
    assert.equal(await sizes.count(), 0)
    const order = page.getByRole('button', { name: /^Order: / })
    const sort = async (key: string) => {
      await order.click()
      await page.getByRole('menuitem', { name: key }).click()
    }
    await sort('Size')
    await sizes.first().waitFor()
    // The column with a time shows the one by which the list is sorted.
    await page.getByRole('columnheader', { name: 'Changed' }).waitFor()
    await sort('Created')
    const created = page.getByRole('columnheader', { name: 'Created' })
    await created.waitFor()
    assert.equal(await created.getAttribute('aria-sort'), 'descending')
    await sort('Name')
    await sizes.first().waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await until('it is sorted', async () => (await firstName(page)) === `Tower ${MANY}`)
    await page.getByLabel('Cards').last().click()
    await page.getByRole('list', { name: 'Contents' }).waitFor()
    assert.ok((await countRows()) < MOST_ROWS, `${await countRows()} cards`)
    await box(page, `Tower ${MANY}`).check()
    await page.keyboard.press('Escape')
    await assertAccessible(page)
    // The order and the view are remembered.
    await page.reload()
    await page.getByRole('list', { name: 'Contents' }).waitFor()
    assert.equal(await firstName(page), `Tower ${MANY}`)
    await page.context().close()
  })

  test('[WEB-192, WEB-193, WEB-218, WEB-234] given documents, when they are filtered, marked and opened, then the address has the filters, an empty list says what to remove, and the personal lists have them; open threads of comments are counted', async () => {
    const person = await app.owner()
    const team = person.me.teams[0]!
    const page = await app.open()
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await page.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Documents' }).click()
    await page.getByRole('switch', { name: 'Also in subfolders' }).click({ force: true })
    await page.keyboard.press('Escape')
    const { searchParams } = new URL(page.url())
    assert.deepEqual(Object.fromEntries(searchParams), { state: 'failed', kind: 'document', subfolders: '1' })
    await page.reload()
    const hint = page.getByRole('button', { name: /^Without “State: Failed” there are/ })
    await hint.waitFor()
    await hint.click()
    await row(page, 'Branching column').waitFor()
    await page.getByRole('button', { name: 'Remove the filter Kind: Documents' }).click()
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
    await assertAccessible(page)

    await row(page, 'Branching column')
      .getByRole('button', { name: /^Favourite/ })
      .click()
    await row(page, 'Branching column')
      .getByRole('button', { name: /^Favourite/, pressed: true })
      .waitFor()
    const id = await app.findDocument('Branching column')
    const shown = await app.show(id)
    await shown.context().close()
    for (const [name, path] of [
      ['Favourites', 'favourites'],
      ['Recent', 'recent'],
    ] as const) {
      await page.getByRole('link', { name }).filter({ visible: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      assert.equal(new URL(page.url()).pathname, `/teams/${team.id}/${path}`)
      await row(page, 'Branching column').getByRole('link', { name: team.name }).waitFor()
      // What was opened last is first, and the column says so.
      const heads = page.getByRole('columnheader', { name: path === 'recent' ? 'Opened' : 'Changed' })
      await heads.waitFor()
      if (path === 'recent') {
        assert.equal(await heads.getAttribute('aria-sort'), 'descending')
        const times = page.locator('td time')
        const opened = await times.evaluateAll((all) => all.map((time) => time.getAttribute('datetime')))
        assert.deepEqual(opened, opened.toSorted().reverse())
      }
      await assertAccessible(page)
    }
    const discussed = await app.make('Discussed')
    const body = { anchor: { kind: 'document' }, text: 'Why?' }
    await app.ask(person, `/documents/${discussed}/threads`, { method: 'POST', body })
    await openFolder(page, team.rootFolderId, `?creator=${person.me.person.id}`)
    await row(page, 'Discussed').getByText('1 open thread').waitFor()
    await row(page, 'Branching column').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Remove the filter Created by: / }).waitFor()

    const phone = await app.open({ at: `/teams/${team.id}`, ...PHONE, hasTouch: true, isMobile: true })
    await phone.getByRole('table', { name: 'Contents' }).waitFor()
    await phone.context().close()
    await page.context().close()
  })

  test('[WEB-194, WEB-195] given many documents, when they are selected, dragged, moved and deleted together, then all of them are, what cannot be is named, and a deletion is undone', async () => {
    const id = await fill('Batch', 250)
    const page = await app.open()
    await openFolder(page, id)
    await box(page, 'Tower 2').click()
    await box(page, 'Tower 5').click({ modifiers: ['Shift'] })
    await selected(page, '4')
    await box(page, 'Tower 3').click()
    await selected(page, '3')
    const inTree = page.getByRole('navigation', { name: 'Folders' })
    await row(page, 'Tower 4')
      .first()
      .dragTo(inTree.getByRole('link', { name: 'Structures' }))
    await page.getByText('3 items are moved.').waitFor()
    await box(page, 'Tower 2').waitFor({ state: 'detached' })
    await box(page, 'Tower 3').waitFor()
    await row(page, 'Tower 1')
      .first()
      .dragTo(page.getByRole('navigation', { name: 'Where this folder is' }).getByRole('link').first())
    await box(page, 'Tower 1').waitFor({ state: 'detached' })

    await page.keyboard.press('Control+a')
    await selected(page, '246')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const change = page.getByRole('region', { name: 'Change of several items' })
    await change.getByText('246 items are in the bin.').waitFor()
    await page.getByText('This folder is empty.').waitFor()
    await change.getByRole('button', { name: 'Undo' }).click()
    await change.getByText('246 items are restored.').waitFor()
    await box(page, 'Tower 3').waitFor()

    // The state is seen wherever the list is scrolled to.
    await page.getByRole('link', { name: 'Tower 3', exact: true }).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Space')
    await page.keyboard.press('Delete')
    await change.getByText('1 item is in the bin.').waitFor()
    await until('the state is in view', async () => {
      const { y, height } = (await change.boundingBox())!
      return y >= 0 && y + height <= 800
    })
    await change.getByRole('button', { name: 'Undo' }).click()
    await change.getByText('1 item is restored.').waitFor()
    await page.keyboard.press('Escape')
    await page.evaluate(() => scrollTo(0, 0))

    // Somebody else deletes one in the meantime.
    const person = await app.owner()
    const found = await app.ask(person, `/folders/${id}`)
    const { folder } = (await found.json()) as { folder: { documents: { id: string; name: string }[] } }
    await box(page, 'Tower 3').check()
    await box(page, 'Tower 6').check()
    const gone = folder.documents.find(({ name }) => name === 'Tower 3')!
    await app.ask(person, `/documents/${gone.id}`, { method: 'DELETE' })
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('combobox', { name: 'To the folder' }).click()
    await page.getByRole('option', { name: /Archive$/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
    await change.getByText('1 item is moved. 1 item could not be.').waitFor()
    await change.getByText(/^Tower 3: Could not find/).waitFor()
    // Its dialog goes with it, and the reason stays.
    await page.getByRole('button', { name: 'Actions for Tower 7', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const other = folder.documents.find(({ name }) => name === 'Tower 7')!
    await app.ask(person, `/documents/${other.id}`, { method: 'DELETE' })
    await page.getByRole('dialog').getByLabel('Name').fill('Tower 8')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page
      .getByRole('status')
      .getByText(/^Could not find/)
      .waitFor()
    await assertAccessible(page)

    // A filter that leaves nothing does not hide what can be undone.
    await openFolder(page, id)
    await box(page, 'Tower 9').check()
    await box(page, 'Tower 11').check()
    await page.getByRole('button', { name: 'Favourite', exact: true }).click()
    await page.getByRole('button', { name: 'Remove from favourites', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Favourites' }).filter({ visible: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Favourites' }).waitFor()
    await box(page, 'Tower 9').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await change.getByText('1 item is in the bin.').waitFor()
    await page.getByRole('textbox', { name: 'Filter the list' }).fill('nothing')
    await page.getByText('Nothing here has “nothing” in its name.').waitFor()
    await change.getByRole('button', { name: 'Undo' }).click()
    await change.getByText('1 item is restored.').waitFor()
    await page.context().close()
  })

  test('[WEB-310] given documents, when they are chosen to be solved, then their price is said before, those that wait can be stopped, and the folder says how many are in each state, and follows them', async () => {
    const id = await fill('Prices', 3)
    const page = await app.open()
    await openFolder(page, id)
    const states = page.getByRole('group', { name: 'States of the documents' })
    await states.getByRole('button', { name: '3 not solved' }).click()
    await page.getByRole('button', { name: 'Remove the filter State: Not solved' }).click()

    await box(page, 'Tower 1').click()
    await box(page, 'Tower 2').click()
    await page.getByRole('region', { name: 'Selected items' }).getByRole('button', { name: 'Solve' }).click()
    const dialog = page.getByRole('dialog', { name: 'Solve 2 documents?' })
    await dialog
      .getByText(/What they cost is not known: they were never solved\. [\d,.]+ credits are left\./)
      .waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Solve' }).click()
    const change = page.getByRole('region', { name: 'Change of several items' })
    await change.getByText('2 items are waiting to be solved, or solved.').waitFor()
    await change.getByRole('button', { name: 'Stop' }).click()
    await change.getByText('2 items are not waiting any more.').waitFor()

    await page.getByRole('button', { name: 'Actions for Tower 3' }).click()
    await page.getByRole('menuitem', { name: 'Open the player' }).waitFor()
    await page.getByRole('menuitem', { name: 'Solve' }).click()
    await page
      .getByRole('dialog', { name: 'Solve 1 document?' })
      .getByRole('button', { name: 'Solve' })
      .click()
    await row(page, 'Tower 3').getByText('Solved', { exact: true }).waitFor()
    await states.getByRole('button', { name: /^\d+ solved$/ }).waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Actions for Tower 3' }).click()
    await page.getByRole('menuitem', { name: 'Download (.gh)' }).click()
    assert.equal((await downloading).suggestedFilename(), 'Tower 3.gh')
    await page.context().close()
  })

  test('[WEB-311] given documents, when they are downloaded together, then one archive has a file of each under a name of its own, and those without a solution are named', async () => {
    const id = await fill('Archived', 3)
    const page = await app.open()
    await openFolder(page, id)
    const state = page.getByRole('region', { name: 'Change of several items' })
    const person = await app.owner()
    const found = await app.ask(person, `/folders/${id}`)
    const { folder } = (await found.json()) as { folder: { documents: { id: string; name: string }[] } }
    for (const { id, name } of folder.documents.filter(({ name }) => name !== 'Tower 3')) {
      await app.solve(id)
      // File systems do not tell it from that of the other one.
      const body = { name: 'tower 1' }
      if (name !== 'Tower 1') await app.ask(person, `/documents/${id}`, { method: 'PATCH', body })
    }
    await page.reload()
    await page.getByRole('link', { name: 'tower 1', exact: true }).waitFor()
    for (const [kind, extension] of [
      ['Definitions (.gh)', 'gh'],
      ['Models (.3dm)', '3dm'],
    ] as const) {
      await page.getByRole('checkbox', { name: 'Select all' }).check()
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download', exact: true }).click()
      await page.getByRole('menuitem', { name: kind }).click()
      const file = await downloading
      assert.match(file.suggestedFilename(), /^Meadow \d{4}-\d\d-\d\d\.zip$/)
      const files = unzipSync(await readFile(await file.path()))
      assert.deepEqual(Object.keys(files), [`tower 1.${extension}`, `Tower 1 (2).${extension}`])
      for (const bytes of Object.values(files)) assert.ok(bytes.length > 100)
      await state.getByText('2 items are in the archive. 1 item could not be.').waitFor()
      await state.getByText(/^Tower 3: /).waitFor()
      await page.keyboard.press('Escape')
    }
    await page.context().close()
  })
})
