import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addNodes, createNode, type Node, removeNodes, renameNode } from '@meadow/client/live'
import type { DocumentFile } from '@meadow/contract'
import type { DocumentVersion } from '@meadow/contract/web'
import type { Locator, Page } from 'playwright-core'
import { openDatabase } from '../../../../server/src/platform/database/open-database.ts'
import { createPublicId } from '../../../../server/src/platform/public-ids.ts'
import { createDefinitionFile } from '../../../../server/src/testing/definition-file.ts'
import { until } from '../../../../server/src/testing/until.ts'
import { assertAccessible } from '../../testing/assert-accessible.ts'
import { noBrowser } from '../../testing/browser.ts'
import { KINDS } from '../../testing/kinds.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { PHONE } from '../../testing/start-app.ts'
import { findNode, useEditor } from '../../testing/use-editor.ts'

describe('the history of a document', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  const at = (kind: keyof typeof KINDS, x: number, nickName: string): Node =>
    createNode(KINDS[kind], { position: { x, y: 0 }, nickName })
  const timeline = (page: Page) => page.getByRole('complementary', { name: 'History' })
  const item = (page: Page, name: string | RegExp): Locator =>
    timeline(page).getByRole('button', { name }).first()
  /** Names the document as it is now, as its owner does. */
  const keep = async (id: string, name: string): Promise<DocumentVersion> => {
    const answer = await app.ask(await app.owner(), `/documents/${id}/versions`, {
      method: 'POST',
      body: { name },
    })
    assert.equal(answer.status, 201, await answer.clone().text())
    return ((await answer.json()) as { version: DocumentVersion }).version
  }

  /** A document with two named versions, First and Second, that is as in the second. */
  async function makeVersions(name: string) {
    const [kept, gone] = [at('panel', 0, 'Kept'), at('panel', 300, 'Gone')]
    const id = await app.make(name, (doc) => addNodes(doc, [kept, gone]))
    const first = await keep(id, 'First')
    await app.edit(id, (doc) => {
      removeNodes(doc, [gone.instanceId])
      addNodes(doc, [at('panel', 600, 'New')])
    })
    const second = await keep(id, 'Second')
    return { id, first, second, kept }
  }

  test('[WEB-143, WEB-144, WEB-145, WEB-244, WEB-246] given versions, when they are listed, looked at, named, pinned and restored, then each is shown as it was, and restoring is one edit that others see and undo takes back', async () => {
    const { id, second } = await makeVersions('With versions')
    const page = await app.show(id)
    const other = await app.show(id)
    await findNode(other, 'New').waitFor()
    await page.getByRole('button', { name: 'History' }).click()
    await item(page, /^Second/)
      .getByText('2 nodes · +1 node, −1 node')
      .waitFor()
    assert.equal(new URL(page.url()).search, '?history=')

    await item(page, /^First/).click()
    await page.getByText('Past version').waitFor()
    await findNode(page, 'Gone').waitFor()
    await findNode(page, 'New').waitFor({ state: 'detached' })
    const more = page.getByRole('button', { name: 'More about this version' })
    await more.click()
    await page.getByRole('menuitem', { name: 'Pin, to keep it' }).click()
    await item(page, /^Pinned First/).waitFor()
    await more.click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('button:focus[aria-label="More about this version"]').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('To the client')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await item(page, /^Pinned To the client/).waitFor()

    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByText('The document is as it was: To the client.').waitFor()
    await findNode(page, 'Gone').waitFor()
    await findNode(other, 'Gone').waitFor()
    await findNode(other, 'New').waitFor({ state: 'detached' })
    await other
      .getByRole('alert')
      .filter({ hasText: / restored the version of / })
      .waitFor()
    assert.equal(await page.getByText(/ restored the version of /).count(), 0)
    await page.locator('.react-flow__pane').click({ position: { x: 5, y: 200 } })
    await page.keyboard.press('Control+z')
    await findNode(page, 'New').waitFor()
    await findNode(other, 'New').waitFor()
    await findNode(page, 'Gone').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Name this state' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Third')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await item(page, /^Third/).waitFor()
    await page.getByRole('button', { name: 'Close the history' }).click()
    await timeline(page).waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '')

    // Versions of this many nodes are compared only where somebody asks for it.
    const compared: string[] = []
    other.on('request', (request) => compared.push(new URL(request.url()).pathname))
    await other.route('**/documents/*/versions*', async (route) => {
      const response = await route.fetch()
      const list = await response.json()
      for (const version of list.versions) if (version.name === 'Second') version.nodes = 2001
      await route.fulfill({ response, json: list })
    })
    await other.getByRole('button', { name: 'History' }).click()
    await item(other, /^Second/)
      .getByText('2,001 nodes', { exact: true })
      .waitFor()
    await other.waitForLoadState('networkidle')
    assert.deepEqual(
      compared.filter((path) => path.includes(second.id)),
      [],
    )
    await Promise.all([page, other].map((each) => each.context().close()))
  })

  test('[WEB-146] given two versions, when they are compared by an address or from the list, then what differs is marked and listed, and the older one is on the left', async () => {
    const { id, first, second, kept } = await makeVersions('Compared versions')
    const page = await app.show(id)
    await page.goto(`/documents/${id}?history=${second.id}&with=${first.id}`)
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByRole('button', { name: 'New (Panel) was added' }).waitFor()
    await changes.getByRole('button', { name: 'Gone (Panel) was removed' }).waitFor()
    await page.getByRole('region', { name: 'Before: First' }).waitFor()
    await page.getByRole('region', { name: 'After: Second' }).waitFor()

    await page.getByRole('button', { name: 'End the comparison' }).click()
    await page.getByText('Past version').waitFor()
    await page.getByRole('button', { name: 'Compare with now' }).click()
    await changes.getByText('Nothing differs.').waitFor()
    await app.edit(id, (doc) => renameNode(doc, kept.instanceId, 'Renamed'))
    await changes.getByRole('button', { name: /renamed/i }).waitFor()
    await page.context().close()
  })

  test('[WEB-144, WEB-146] given versions that were solved, when they are shown and compared, then their geometry is, and its objects are counted', async () => {
    const sphere = at('sphere', 0, 'Ball')
    const id = await app.make('Solved', (doc) => addNodes(doc, [sphere]))
    const solved = (version: DocumentVersion) =>
      until('the version has a solution', async () => {
        const answer = await app.ask(await app.owner(), `/documents/${id}/versions/${version.id}`)
        return ((await answer.json()) as { version: DocumentVersion }).version.solutionId !== null
      })
    const page = await app.show(id, { drawsGeometry: true })
    const first = await keep(id, 'One ball')
    await solved(first)
    await app.edit(id, (doc) => addNodes(doc, [at('sphere', 400, 'Another')]))
    const second = await keep(id, 'Two balls')
    await solved(second)
    await page.goto(`/documents/${id}?history=${first.id}`)
    await page
      .getByRole('region', { name: 'Geometry of the version' })
      .locator('canvas[data-visible="1"]')
      .waitFor()
    await page.goto(`/documents/${id}?history=${first.id}&with=${second.id}`)
    const geometry = page.getByRole('region', { name: 'Comparison of the geometry' })
    await geometry.getByLabel('1 added').waitFor()
    await geometry.getByLabel('1 the same').waitFor()
    await geometry.locator('canvas[data-visible="2"]').waitFor()
    await assertAccessible(page)
    await geometry.getByLabel('1 the same').uncheck()
    await geometry.locator('canvas[data-visible="1"]').waitFor()
    await page.context().close()
  })

  test('[WEB-145] given a version, when it is copied and exported, then there is a document with its content, and a file', async () => {
    const { id, first } = await makeVersions('To copy')
    const page = await app.show(id)
    await page.goto(`/documents/${id}?history=${first.id}`)
    const more = page.getByRole('button', { name: 'More about this version' })
    await more.click()
    const downloaded = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export the definition (.gh)' }).click()
    assert.match((await downloaded).suggestedFilename(), /\.gh$/)
    await more.click()
    await page.getByRole('menuitem', { name: 'Copy as a new document' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('A copy')
    await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('heading', { level: 1, name: 'A copy' }).waitFor()
    await findNode(page, 'Gone').waitFor()
    await page.context().close()
  })

  test('[WEB-143, WEB-145] given more versions than a page has, when older ones are shown and the owner deletes the oldest, then the list has them all, and that one no more', async () => {
    const { id, first } = await makeVersions('With many versions')
    const database = await openDatabase({ dataDir: app.demo.dataDir })
    await database.transaction(async (write) => {
      const { id: _, ...row } = await write
        .selectFrom('document_version')
        .where('public_id', '=', first.id as never)
        .selectAll()
        .executeTakeFirstOrThrow()
      const rows = Array.from({ length: 100 }, (_, number) => ({
        ...row,
        public_id: createPublicId('ver'),
        seq: row.seq + 1000 + number,
        name: `Number ${number}`,
      }))
      await write.insertInto('document_version').values(rows).execute()
    })
    await database.close()
    const page = await app.show(id)
    await page.goto(`/documents/${id}?history=${first.id}`)
    await item(page, /^Number 99/).waitFor()
    await timeline(page).getByRole('button', { name: 'Show older versions' }).click()
    await item(page, /^First/).waitFor()
    assert.equal(await timeline(page).getByRole('button', { name: 'Show older versions' }).count(), 0)
    const all = await timeline(page).getByRole('listitem').count()
    assert.ok(all > 101, `${all} versions`)

    await page.getByRole('button', { name: 'More about this version' }).click()
    await page.getByRole('menuitem', { name: 'Delete permanently' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this version?' })
    await dialog.getByText('“First” cannot be brought back.').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.waitFor({ state: 'detached' })
    await item(page, /^First/).waitFor({ state: 'detached' })
    assert.equal(await timeline(page).getByRole('listitem').count(), all - 1)
    assert.equal(new URL(page.url()).search, '?history=')
    const gone = await app.ask(await app.owner(), `/documents/${id}/versions/${first.id}`)
    assert.equal(gone.status, 404)
    await page.context().close()
  })

  test('[WEB-145] given a viewer, when they open the history, then they look and compare, and can change nothing', async () => {
    const { id, first } = await makeVersions('For viewers')
    const person = await app.invite('Vera', 'viewer')
    const page = await app.show(id, { person, ...PHONE, hasTouch: true, colorScheme: 'dark' })
    await page.getByRole('button', { name: 'History' }).click()
    await item(page, /^Second/).waitFor()
    await page.getByRole('button', { name: 'Name this state' }).waitFor({ state: 'detached' })
    await assertAccessible(page)
    await item(page, /^First/).click()
    await findNode(page, 'Gone').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Restore', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'More about this version' }).click()
    await page.getByRole('menuitem', { name: /Export the definition/ }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: /Rename|Pin|Copy|Delete/ }).count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Compare with now' }).click()
    await page.getByRole('button', { name: 'New (Panel) was added' }).waitFor()
    await assertAccessible(page)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width)
    await page.goto(`/documents/${id}?history=${first.id}x`)
    await page.getByText('Could not find that version.').waitFor()
    await page.context().close()
  })

  test('[WEB-145, WEB-147] given a file that replaced a document, when it is compared with before, then the comparison is of the document before and after the file, and restoring, undo and redo change the file too', async () => {
    const bytes = new Uint8Array(createDefinitionFile({ text: 'one', unsolvable: true }))
    const id = await app.upload('Replaced.gh', bytes)
    const page = await app.open()
    const buffer = Buffer.from(createDefinitionFile({ text: 'two' }))
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'Replaced.gh', mimeType: '', buffer })
    await page.getByRole('button', { name: 'Replace it' }).click()
    await page.getByRole('link', { name: 'Compare with before' }).click()
    await page
      .getByRole('region', { name: 'Changes' })
      .getByRole('button', { name: /"one".*"two"/ })
      .waitFor()

    /** The first file has a node of the plug-in that it names. */
    const fileIs = (count: number) =>
      until(`the file has ${count} nodes of a plug-in`, async () => {
        const answer = await app.ask(await app.owner(), `/documents/${id}/file`)
        return ((await answer.json()) as { file: DocumentFile }).file.plugins![0]!.nodeCount === count
      })
    await fileIs(0)
    await page.getByRole('button', { name: 'End the comparison' }).click()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await findNode(page, 'Import 3DM').waitFor()
    await fileIs(1)
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await findNode(page, 'Import 3DM').waitFor({ state: 'detached' })
    await fileIs(0)
    await page.locator('.react-flow__pane').click({ position: { x: 5, y: 200 } })
    await page.keyboard.press('Control+Shift+z')
    await findNode(page, 'Import 3DM').waitFor()
    await fileIs(1)
    await page.context().close()
  })

  test('[WEB-148] given the settings of a team, when its owner chooses for how long versions are kept, then it is stored, and shorter times after it become as long', async () => {
    const owner = await app.owner()
    const team = owner.me.teams[0]!.id
    const page = await app.open({ at: `/teams/${team}/settings/general` })
    const section = page.getByRole('region', { name: 'History of documents' })
    await section.getByRole('combobox', { name: 'All versions' }).click()
    await page.getByRole('option', { name: 'for a year' }).click()
    const policy = await until('it is stored', async () => {
      const answer = await app.ask(owner, `/teams/${team}`)
      const { versionPolicy } = (
        (await answer.json()) as { team: { versionPolicy: { allDays: number | null } } }
      ).team
      return versionPolicy.allDays === 365 && versionPolicy
    })
    assert.deepEqual(policy, { allDays: 365, dailyDays: 365, weeklyDays: null })
    await page.context().close()
  })
})
