import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDatabase } from '../../../../server/src/platform/database/open-database.ts'
import { findTeam } from '../../../../server/src/team/teams.ts'
import { assertAccessible } from '../../testing/assert-accessible.ts'
import { noBrowser } from '../../testing/browser.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { useEditor } from '../../testing/use-editor.ts'

const DAY_MS = 86_400_000

describe('credits', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  /** Pays for solves of two documents, one of which is in the bin, and of one that was deleted permanently. */
  async function spend(documents: readonly string[]): Promise<void> {
    const database = await openDatabase({ dataDir: app.demo.dataDir })
    const { key: team } = (await findTeam(database.read, (await app.owner()).me.teams[0]!.id))!
    await database.transaction(async (write) => {
      const entries = Array.from({ length: 120 }, (_, i) => ({
        team_id: team,
        at: Date.now() - (i % 40) * DAY_MS,
        credit_tenths: -(1 + (i % 3)),
        cause: i % 3 === 2 ? null : i % 3 === 1 ? ('automatic' as const) : ('asked' as const),
        solution_id: `sol_${i}` as never,
        state: 'solved' as const,
        duration_ms: 900,
        document_id: documents[i % 3]! as never,
        document_name: i % 3 === 2 ? '' : 'Any',
      }))
      await write.insertInto('credit_entry').values(entries).execute()
      await write.updateTable('team').set({ credit_tenths: 505 }).where('id', '=', team).execute()
    })
    await database.close()
  }

  const readDownload = async (page: Page, button: string) => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ])
    return { name: saved.suggestedFilename(), text: await readFile(await saved.path(), 'utf8') }
  }

  test('[WEB-230, WEB-231, WEB-232, WEB-245] given solves of forty days, when the credits are opened, then days and documents are summed, in a chart, a table and CSV, with a forecast', async () => {
    const [tower, binned] = [await app.make('=Tower'), await app.make('Binned')]
    const owner = await app.owner()
    await app.ask(owner, `/documents/${binned}`, { method: 'DELETE' })
    await spend([tower, binned, 'doc_gggggggggggggggg'])
    const page = await app.open({ timezoneId: 'Pacific/Auckland' })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'Credits' }).click()
    const documents = page.getByRole('table', { name: 'Credits by document' })
    await documents.getByRole('link', { name: '=Tower' }).waitFor()
    await documents.getByRole('row', { name: /Binned.*in the bin/ }).waitFor()
    await documents.getByRole('row', { name: /A document that was deleted permanently/ }).waitFor()
    await page.getByText(/At the rate of the last \d+ days .* the 50\.5 credits are used up/).waitFor()
    await page.getByText('Days are those of your time zone, Pacific/Auckland.', { exact: false }).waitFor()
    await assertAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 360, height: 740 })
    await assertAccessible(page)
    const [needed, there] = await documents.evaluate((table) => [
      table.getBoundingClientRect().right,
      document.documentElement.clientWidth,
    ])
    assert.ok(needed! <= there!, `[WEB-245] the table ends at ${needed}`)
    await documents.getByRole('row', { name: /All 90 1[0-9]\.[0-9] 100%/ }).waitFor()
    await page.getByText('90 days').click()
    await documents.getByRole('row', { name: /All 120 24\.0 100%/ }).waitFor()
    await page.getByText('UTC', { exact: true }).click()
    await page.getByText('Days are those of UTC.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Show as a table' }).click()
    const days = page.getByRole('table', { name: 'Credits by day' })
    const today = new Date().toISOString().slice(0, 10)
    await days.getByRole('row', { name: new RegExp(today) }).waitFor()
    assert.equal(await days.getByRole('row').count(), 91)
    const byDocument = await readDownload(page, 'Documents as CSV')
    assert.match(byDocument.name, /^credits-by-documents-[\d-]+-to-[\d-]+\.csv$/)
    assert.deepEqual(byDocument.text.split('\r\n'), [
      'document_id,document,state,solves,asked_credits,automatic_credits,credits',
      'doc_gggggggggggggggg,,deleted permanently,40,0,0,12',
      `${binned},Binned,in the bin,40,0,8,8`,
      `${tower},'=Tower,there,40,4,0,4`,
      '',
    ])
    const byDay = await readDownload(page, 'Days as CSV')
    assert.equal(byDay.text.trim().split('\r\n').length, 91)
    await assertAccessible(page)

    // The links of a list that scrolls would lie under the buttons below it.
    const more = await Promise.all(Array.from({ length: 14 }, (_, i) => app.make(`Pavilion ${i}`)))
    for (let i = 0; i < more.length; i += 2) await spend([more[i]!, more[i + 1]!, 'doc_gggggggggggggggg'])
    await page.reload()
    await documents.getByRole('button', { name: /^Show \d more documents$/ }).waitFor()
    await assertAccessible(page)
    await documents.getByRole('button', { name: /^Show \d more documents$/ }).click()
    assert.equal(await documents.getByRole('link', { name: 'Pavilion' }).count(), 14)
    await assertAccessible(page)
    await page.context().close()
  })
})
