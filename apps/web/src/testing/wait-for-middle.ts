import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { until } from '../../../server/src/testing/until.ts'

/** The colour at the center of an element, or of what else has a picture: red, green and blue from 0 to 255. */
async function readMiddle(page: Page, of: Pick<Locator, 'screenshot'>): Promise<number[]> {
  const png = (await of.screenshot()).toString('base64')
  return page.evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (character) => character.codePointAt(0)!)
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const context = new OffscreenCanvas(1, 1).getContext('2d')!
    context.drawImage(picture, -picture.width / 2, -picture.height / 2)
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)]
  }, png)
}

/** Resolves with the colour at the center of an element when it is as it should be. */
export async function waitForMiddle(
  page: Page,
  of: Pick<Locator, 'screenshot'>,
  isThere: (colour: number[]) => boolean,
): Promise<number[]> {
  let colour: number[] = []
  return until('the middle is drawn as it should be', async () => {
    colour = await readMiddle(page, of)
    return isThere(colour) && colour
  }).catch((error) => assert.fail(`${error.message} It stays ${colour}.`))
}
