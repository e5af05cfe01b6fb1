import { afterEach, describe, test } from 'node:test'
import { addNodes, createNode } from '@meadow/client/live'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../../testing/assert-accessible.ts'
import { noBrowser } from '../../testing/browser.ts'
import { KINDS } from '../../testing/kinds.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { useEditor } from '../../testing/use-editor.ts'
import { waitForMiddle } from '../../testing/wait-for-middle.ts'

/** The background in light mode. */
const BACKGROUND = [0xf4, 0xf5, 0xf4]
/** What a section cuts. */
const CAP = [0x8f, 0xa3, 0x98]

const isNear = (colour: number[], other: number[]) =>
  colour.every((part, i) => Math.abs(part - other[i]!) <= 6)
const isBackground = (colour: number[]) => isNear(colour, BACKGROUND)
const isDrawn = (colour: number[]) => !isBackground(colour) && Math.max(...colour) < 0xf0

describe('the 3D view', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo)
  afterEach(() => app.checkTroubles())

  const canvasOf = (page: Page) => page.getByLabel(/^The geometry of the solution/)

  /** A document with one sphere, in a window that shows the geometry alone. */
  async function showSphere(name: string, isPreviewed = true) {
    const sphere = createNode(KINDS.sphere, { position: { x: 0, y: 0 } })
    sphere.status = { ...sphere.status, isPreviewed }
    const page = await app.show(await app.make(name, (doc) => addNodes(doc, [sphere])))
    await page.getByText('3D', { exact: true }).click()
    await page.locator('canvas[data-visible]').waitFor()
    return { page, canvas: canvasOf(page) }
  }

  test('[WEB-56, WEB-57] given geometry whose preview is off, when it is shown, then it is fitted, and offered again when it left the view', async () => {
    const { page, canvas } = await showSphere('Hidden', false)
    await page.getByText('All geometry is hidden').waitFor()
    await waitForMiddle(page, canvas, isBackground)
    await page.getByRole('button', { name: 'Show all' }).click()
    await waitForMiddle(page, canvas, isDrawn)
    await canvas.focus()
    for (let step = 0; step < 15; step++) await page.keyboard.press('Shift+ArrowLeft')
    const fit = page.getByRole('button', { name: 'Nothing is in view: fit' })
    await fit.waitFor()
    // The camera is where it was after a reload, and everything is hidden again.
    await page.reload()
    await page.getByText('3D', { exact: true }).click()
    await page.getByRole('button', { name: 'Show all' }).click()
    await fit.click()
    await waitForMiddle(page, canvas, isDrawn)
    await page.context().close()
  })

  test('[WEB-58, WEB-62] given an object, when keys are pressed, then it is hidden and shown, and seen from above', async () => {
    const { page, canvas } = await showSphere('With keys')
    await waitForMiddle(page, canvas, isDrawn)
    const { width, height } = (await canvas.boundingBox())!
    await canvas.click({ position: { x: width / 2, y: height / 2 } })
    const panel = page.getByRole('group', { name: 'The selected object' })
    await panel.getByText('{0}').waitFor()
    await waitForMiddle(page, canvas, ([red, green]) => green! > red! + 50)
    await assertAccessible(page)
    await canvas.focus()
    await page.keyboard.press('h')
    await page.getByText('All geometry is hidden').waitFor()
    await waitForMiddle(page, canvas, isBackground)
    await page.keyboard.press('a')
    await waitForMiddle(page, canvas, isDrawn)
    await page.keyboard.press('1')
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Parallel', checked: true }).waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await waitForMiddle(page, canvas, isDrawn)
    await page.context().close()
  })

  test('[WEB-60, WEB-61] given a solid, when it is cut, then it looks solid, and points on it can be measured', async () => {
    const { page, canvas } = await showSphere('Cut')
    await waitForMiddle(page, canvas, isDrawn)
    await canvas.focus()
    await page.keyboard.press('s')
    await waitForMiddle(page, canvas, (colour) => isNear(colour, CAP))
    await page.getByRole('button', { name: 'Show the other side' }).click()
    await waitForMiddle(page, canvas, (colour) => isDrawn(colour) && !isNear(colour, CAP))
    await canvas.hover()
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await assertAccessible(page)
    await canvas.focus()
    await page.keyboard.press('m')
    const panel = page.getByRole('group', { name: 'Measure' })
    await panel.getByText('Pick a point.').waitFor()
    const { width, height } = (await canvas.boundingBox())!
    await canvas.click({ position: { x: width / 2, y: height / 2 } })
    await panel.getByText('Pick the second point.').waitFor()
    await canvas.click({ position: { x: width / 2 + 40, y: height / 2 } })
    await panel.getByText(/^Δx/).waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.context().close()
  })
})
