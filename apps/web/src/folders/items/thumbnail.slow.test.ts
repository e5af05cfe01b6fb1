import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { AppFolder } from '@meadow/contract/web'
import { assertAccessible } from '../../testing/assert-accessible.ts'
import { noBrowser } from '../../testing/browser.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { useApp } from '../../testing/start-app.ts'

describe('pictures of documents', { skip: noBrowser }, () => {
  const app = useApp(shareDemo)
  afterEach(() => app.checkTroubles())

  test('[WEB-200, WEB-201, WEB-202] given a folder, then its documents have pictures in boxes that do not move, which are not asked for again; one that is outdated is marked, and one that cannot be read is an icon', async () => {
    const id = await app.uploadDemo('branching-column', 'Branching column')
    // Until then its picture is one of the graph.
    await app.solve(id)
    const page = await app.open()
    const row = page.getByRole('row').filter({ hasText: 'Branching column' })
    const isLoaded = () => {
      const image = document.querySelector<HTMLImageElement>('img[alt^="Picture of the"]')
      return image?.complete && image.naturalWidth === 480
    }
    await page.waitForFunction(isLoaded)
    // If it takes longer than the solver has for it, it was made just now, and has its version the next time.
    await page.reload()
    const picture = row.getByRole('img', { name: /^Picture of (a part of )?the geometry$/ })
    await picture.waitFor()
    await page.waitForFunction(isLoaded)
    const { width, height } = (await picture.boundingBox())!
    assert.deepEqual([width, height], [40, 30])
    await assertAccessible(page)

    await page.reload()
    await page.waitForFunction(isLoaded)
    const sizes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/thumbnail?version='))
        .map((entry) => (entry as PerformanceResourceTiming).transferSize),
    )
    assert.deepEqual(sizes, [0])

    // As after an edit that was not solved yet.
    let isEdited = true
    await page.route('**/app/v1/folders/*', async (route) => {
      if (!isEdited) return route.continue()
      const response = await route.fetch()
      const { folder }: { folder: AppFolder } = await response.json()
      for (const { thumbnail } of folder.documents) if (thumbnail) thumbnail.isOutdated = true
      await route.fulfill({ response, json: { folder } })
    })
    await page.reload()
    const words = /^Earlier picture of .*: the document has changed since$/
    await row.getByRole('img', { name: words }).waitFor()
    isEdited = false

    await page.route('**/thumbnail?*', (route) => route.fulfill({ status: 200, body: 'no picture' }))
    await page.reload()
    await row.getByRole('link', { name: 'Branching column' }).waitFor()
    await row.getByRole('img', { name: /picture/i }).waitFor({ state: 'detached' })
    assert.equal(await row.locator('svg').first().isVisible(), true)
    await page.context().close()
  })
})
