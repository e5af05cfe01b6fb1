import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createDefinitionFile } from '../../../server/src/testing/definition-file.ts'
import { assertAccessible } from '../testing/assert-accessible.ts'
import { noBrowser } from '../testing/browser.ts'
import { dropFiles } from '../testing/drop-files.ts'
import { shareDemo } from '../testing/share-demo.ts'
import { PHONE, TOUCH_PHONE } from '../testing/start-app.ts'
import { useEditor } from '../testing/use-editor.ts'

/** A folder on the disk with definitions at these paths. */
async function makeFolder(t: TestContext, name: string, paths: readonly string[]): Promise<string> {
  const disk = await mkdtemp(join(tmpdir(), 'meadow-upload-'))
  t.after(() => rm(disk, { recursive: true }))
  for (const path of paths) {
    await mkdir(dirname(join(disk, name, path)), { recursive: true })
    await writeFile(join(disk, name, path), createDefinitionFile())
  }
  return join(disk, name)
}

const file = (name: string, unsolvable: boolean) => ({
  ...{ name, mimeType: '', buffer: Buffer.from(createDefinitionFile({ unsolvable })) },
})

describe('uploads', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const said = (page: Page, text: string) =>
    page.getByRole('status').getByText(text, { exact: true }).waitFor({ state: 'attached' })

  test('[WEB-196, WEB-321] given a folder on the disk, when it is dropped, then one progress is shown over all of it, its begin and end are announced, errors are listed, and it can be cancelled and continued', async (t) => {
    const names = Array.from({ length: 12 }, (_, at) => `${at % 2 ? 'Inner/' : ''}Part ${at}.gh`)
    const disk = await makeFolder(t, 'Whole', names)
    await writeFile(join(disk, 'Broken.gh'), 'no definition')
    const page = await app.open()
    await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
    // The first file waits until the uploads are cancelled.
    const held = Promise.withResolvers<void>()
    await page.route('**/uploads?*', async (route) => {
      await held.promise
      await route.continue().catch(() => {})
    })
    await dropFiles(page, [disk])
    const uploads = page.getByRole('region', { name: 'Uploads' })
    await uploads.getByText(/^0 of 13 files, 0 bytes of/).waitFor()
    await said(page, 'Uploading 13 files')
    assert.equal(await uploads.getByRole('progressbar').count(), 1)
    await uploads.getByRole('button', { name: 'Cancel' }).click()
    await uploads.getByText('13 cancelled').waitFor()
    held.resolve()
    await uploads.getByRole('button', { name: 'Try these again' }).click()
    await uploads.getByText('1 failed, 12 imported').waitFor()
    await said(page, '1 failed, 12 imported')
    await uploads.getByText(/^Whole\/Broken\.gh: /).waitFor()
    await assertAccessible(page)
    await page.getByRole('table').getByRole('link', { name: 'Whole', exact: true }).click()
    await row(page, 'Part 10').waitFor()
    await page.getByRole('table').getByRole('link', { name: 'Inner', exact: true }).click()
    await row(page, 'Part 11').waitFor()
    await page.context().close()
  })

  test('[WEB-233] given a file that would replace a document, when other pages are opened, then the question stays, the browser asks before it closes the window, and the answer is carried out', async () => {
    const page = await app.open()
    const chosen = page.locator('input[type=file]')
    const uploads = page.getByRole('region', { name: 'Uploads' })
    const broken = { name: 'Broken.gh', mimeType: '', buffer: Buffer.from('no definition') }
    await chosen.setInputFiles([broken, file('Asked.gh', false), file('Left.gh', false)])
    await uploads.getByText('Left was imported.').waitFor()
    await chosen.setInputFiles([file('Asked.gh', true), file('Left.gh', true)])
    const question = uploads.getByText('“Atelier Meadow” already has a document “Asked”, from another file.')
    await question.waitFor()
    assert.match(await uploads.innerText(), /another file[\s\S]*Broken\.gh/)
    await page.getByRole('link', { name: 'Bin' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bin' }).waitFor()
    await question.waitFor()
    await assertAccessible(page)
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
    await uploads.getByRole('button', { name: 'Do not import Left.gh' }).click()
    await uploads.getByRole('button', { name: 'Keep both' }).click()
    await uploads.getByRole('link', { name: /^Asked/ }).click()
    await page.locator('.react-flow__pane').waitFor()
    await uploads.getByText('was imported.').waitFor()
    // Nothing waits any more: the window closes without a question.
    await page.close({ runBeforeUnload: true })
    await page.context().close()
  })

  test('[WEB-4, WEB-370] given a page without TLS, when uploads fail, then those are offered to be sent again that can succeed', async () => {
    const page = await app.open()
    await page.evaluate(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }))
    await page.route(
      (url) => url.searchParams.get('fileName') === 'Busy.gh',
      (route) => route.fulfill({ status: 429, json: { error: 'Too many.' } }),
      { times: 1 },
    )
    const broken = { name: 'Broken.gh', mimeType: '', buffer: Buffer.from('no definition') }
    await page.locator('input[type=file]').setInputFiles([broken, file('Busy.gh', false)])
    const uploads = page.getByRole('region', { name: 'Uploads' })
    await uploads.getByText(/^Broken\.gh: .*cannot be read/).waitFor()
    await uploads.getByText('Busy.gh: Too many.').waitFor()
    assert.equal(await uploads.getByRole('button', { name: 'Try again' }).count(), 1)
    await uploads.getByRole('button', { name: 'Try again' }).click()
    await uploads.getByText('Busy was imported.').waitFor()
    await uploads.getByRole('button', { name: 'Dismiss Broken.gh' }).click()
    await uploads.getByText(/^Broken/).waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('[WEB-320] given two windows, when each uploads a folder of the same name, then two files of each are sent at once, one that has to wait goes on, and there is one folder', async (t) => {
    const first = await app.open()
    const second = await first.context().newPage()
    await second.goto('/')
    let [held, most] = [0, 0]
    const isFull = Promise.withResolvers<void>()
    await first.route('**/uploads?*', async (route) => {
      if (++held === 2) isFull.resolve()
      most = Math.max(most, held)
      await isFull.promise
      held--
      // The first two are told that the other window has all places.
      if (most === 2 && refused++ < 2) await route.fulfill({ status: 429, headers: { 'retry-after': '0' } })
      else await route.continue()
    })
    let refused = 0
    const windows = [first, second]
    await Promise.all(
      windows.map(async (page, at) => {
        await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
        const names = Array.from({ length: 5 }, (_, part) => `Deep/Part ${at}${part}.gh`)
        await dropFiles(page, [await makeFolder(t, 'Shared', names)])
        const uploads = page.getByRole('region', { name: 'Uploads' })
        await uploads.getByText('was imported.').nth(4).waitFor()
      }),
    )
    assert.equal(most, 2)
    assert.ok(refused > 2)
    await first.getByRole('table').getByRole('link', { name: 'Shared', exact: true }).click()
    await first.getByRole('table').getByRole('link', { name: 'Deep', exact: true }).click()
    await row(first, 'Part 14').waitFor()
    assert.equal(
      await first
        .getByRole('table')
        .getByText(/^Part /)
        .count(),
      10,
    )
    await first.context().close()
  })

  test('[WEB-321] given a phone, when files are uploaded, then one line below the page says so, covers none of its buttons, and shows the questions when it is unfolded', async () => {
    const page = await app.open(TOUCH_PHONE)
    const chosen = page.locator('input[type=file]')
    await chosen.setInputFiles([file('Pocket.gh', false)])
    const uploads = page.getByRole('region', { name: 'Uploads' })
    await uploads.getByText('Uploads · 1 imported').waitFor()
    await chosen.setInputFiles([file('Pocket.gh', true)])
    await uploads.getByText('Uploads · 1 to decide').waitFor()
    await said(page, '1 to decide')
    await page.getByRole('link', { name: 'Pocket', exact: true }).tap()
    await page.locator('.react-flow__pane').waitFor()
    const top = (await uploads.boundingBox())!.y
    const rail = page.getByRole('button', { name: 'Comments' })
    const box = (await rail.boundingBox())!
    assert.ok(box.y + box.height <= top, `${JSON.stringify(box)} is above ${top}`)
    const needed = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.scrollHeight,
    ])
    assert.deepEqual(needed, [PHONE.viewport.width, PHONE.viewport.height])
    await assertAccessible(page)
    await uploads.getByRole('button', { name: 'Show the uploads' }).tap()
    await uploads.getByRole('button', { name: 'Keep both' }).waitFor()
    await assertAccessible(page)
    await uploads.getByRole('button', { name: 'Keep both' }).tap()
    await uploads.getByText('was imported.').waitFor()
    await uploads.getByRole('button', { name: 'Dismiss the uploads' }).tap()
    await uploads.waitFor({ state: 'detached' })
    await page.context().close()
  })
})
