import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addNodes, createNode } from '@meadow/client/live'
import type { Page } from 'playwright-core'
import { until } from '../../../../server/src/testing/until.ts'
import { assertAccessible } from '../../testing/assert-accessible.ts'
import { noBrowser } from '../../testing/browser.ts'
import { KINDS } from '../../testing/kinds.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { findNode, useEditor } from '../../testing/use-editor.ts'

describe('named views', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo)
  afterEach(() => app.checkTroubles())

  const listOf = (page: Page) => page.getByRole('list', { name: 'List of named views' })
  const viewOf = (page: Page, name: string) => listOf(page).getByRole('button', { name, exact: true })
  const canvasOf = (page: Page) => page.getByLabel(/^The geometry of the solution/)
  const readTransform = (page: Page) =>
    page.locator('.react-flow__viewport').evaluate((element) => element.style.transform)
  const reaches = (page: Page, transform: string) =>
    page.waitForFunction((transform) => {
      const numbers = (text: string) => (text.match(/-?[\d.]+(?=px|\))/g) ?? []).map(Number)
      const shown = numbers(document.querySelector<HTMLElement>('.react-flow__viewport')!.style.transform)
      return numbers(transform).every((number, at) => Math.abs(number - shown[at]!) < 0.5)
    }, transform)
  async function save(page: Page, what: string, name: string) {
    await page.getByRole('button', { name: what }).click()
    const field = page.getByRole('textbox', { name: 'Name' })
    assert.match(await field.inputValue(), /^View \d$/)
    await field.fill(name)
    await page.keyboard.press('Enter')
    await viewOf(page, `3D view ${name}`)
      .or(viewOf(page, `View of the graph ${name}`))
      .and(page.locator('[aria-current]'))
      .waitFor()
  }
  async function scroll(page: Page) {
    await page.locator('.react-flow__pane').hover({ position: { x: 30, y: 30 } })
    const before = await readTransform(page)
    await page.mouse.wheel(0, -400)
    await page.waitForFunction(
      (before) => document.querySelector<HTMLElement>('.react-flow__viewport')!.style.transform !== before,
      before,
    )
  }

  test('[WEB-184] given open comments, or the history, when the list of views is asked for, then it stands in their place', async () => {
    const page = await app.show(await app.make('Covered'))
    for (const panel of ['Comments', 'History']) {
      await page.getByRole('button', { name: panel, exact: true }).click()
      await page.getByRole('button', { name: `Close the ${panel.toLowerCase()}` }).waitFor()
      const close = page.getByRole('button', { name: 'Close the named views' })
      await close.waitFor({ state: 'detached' })
      // A key of one character belongs to the graph, and not to the button of the panel.
      await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } })
      await page.keyboard.press('v')
      await close.waitFor()
    }
    await page.context().close()
  })

  test('[WEB-184, WEB-185, WEB-186, WEB-187, WEB-188] given two windows of a document, when one saves views of the graph and the geometry, renames, changes and deletes them, then the other, which may not, sees each without a reload, and goes there', async () => {
    const mira = await app.invite('Mira', 'viewer')
    const nodes = [
      createNode(KINDS.sphere, { position: { x: 0, y: 0 }, nickName: 'Ball' }),
      createNode(KINDS.panel, { position: { x: 900, y: 500 }, nickName: 'Note' }),
    ]
    const id = await app.make('Seen', (doc) => addNodes(doc, nodes))
    const [one, two] = await Promise.all([
      app.show(id),
      app.show(id, { person: mira, reducedMotion: 'reduce' }),
    ])
    for (const page of [one, two]) {
      await page.locator('canvas[data-visible="1"]').waitFor()
      await page.keyboard.press('v')
      await page.getByText(/^No views are saved/).waitFor()
    }
    assert.equal(await two.getByRole('button', { name: /^Save/ }).count(), 0)

    const seen = await readTransform(one)
    await save(one, 'Save the graph view', 'Everything')
    await scroll(one)
    await scroll(two)
    await viewOf(two, 'View of the graph Everything').click()
    await reaches(two, seen)
    await viewOf(one, 'View of the graph Everything').click()
    await reaches(one, seen)

    // The camera, and what is hidden.
    const canvas = canvasOf(one)
    await canvas.focus()
    await one.keyboard.press('2')
    await findNode(one, 'Ball').click({ position: { x: 8, y: 8 } })
    await canvas.focus()
    await one.keyboard.press('h')
    await one.locator('canvas[data-visible="0"]').waitFor()
    await save(one, 'Save the 3D view', 'Front')
    await canvas.focus()
    await one.keyboard.press('a')
    await one.keyboard.press('0')
    await one.locator('canvas[data-visible="1"]').waitFor()
    for (const page of [two, one]) {
      await viewOf(page, '3D view Front').click()
      await page.locator('canvas[data-visible="0"]').waitFor()
      await page.getByRole('button', { name: 'Views', exact: true }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Parallel', checked: true }).waitFor()
      await page.keyboard.press('Escape')
      await assertAccessible(page)
    }

    // With keys, which change nothing in the graph.
    await viewOf(one, '3D view Front').focus()
    await one.keyboard.press('F2')
    await one.getByRole('textbox', { name: 'Name' }).fill('a\u202eb')
    await one.keyboard.press('Enter')
    await one.getByText(/without hidden characters/).waitFor()
    await one.getByRole('textbox', { name: 'Name' }).fill('<b>From</b> the street')
    await one.keyboard.press('Enter')
    await viewOf(two, '3D view <b>From</b> the street').waitFor()
    await canvas.focus()
    await one.keyboard.press('a')
    await one.getByRole('button', { name: 'Actions of the view <b>From</b> the street' }).click()
    await one.getByRole('menuitem', { name: 'Update to what is seen' }).click()
    await one.getByText('shows what you see now').waitFor()
    // The other window may not have heard of it yet.
    await until('the other window shows the view', async () => {
      await viewOf(two, '3D view <b>From</b> the street').click()
      return (await two.locator('canvas[data-visible="1"]').count()) > 0
    })
    await findNode(one, 'Ball').click({ position: { x: 8, y: 8 } })
    await viewOf(one, '3D view <b>From</b> the street').focus()
    await one.keyboard.press('ArrowUp')
    await one.keyboard.press('Delete')
    await viewOf(two, 'View of the graph Everything').waitFor({ state: 'detached' })
    await one.locator(':focus', { hasText: 'Undo' }).waitFor()
    await one.keyboard.press('Enter')
    await viewOf(two, 'View of the graph Everything').waitFor()
    await findNode(one, 'Ball').waitFor()

    // An address leads there, on a phone to the pane as well.
    const address = two.url()
    assert.match(address, /\?view=viw_\w+$/)
    await two.setViewportSize({ width: 360, height: 700 })
    await two.goto(address)
    await two.locator('canvas[data-visible="1"]').waitFor()
    await two.getByRole('radio', { name: '3D', checked: true }).waitFor({ state: 'attached' })
    await two.goto(address.replace(/viw_\w+/, 'viw_0000000000000000'))
    await two.getByText('The view that the address names was deleted.').waitFor()
    await Promise.all([one.context().close(), two.context().close()])
  })
})
