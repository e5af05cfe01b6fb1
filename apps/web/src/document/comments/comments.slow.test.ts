import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addNodes, createNode } from '@meadow/client/live'
import { assertAccessible } from '../../testing/assert-accessible.ts'
import { noBrowser } from '../../testing/browser.ts'
import { KINDS } from '../../testing/kinds.ts'
import { shareDemo } from '../../testing/share-demo.ts'
import { findNode, useEditor } from '../../testing/use-editor.ts'

describe('comments', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  test('[WEB-210, WEB-211, WEB-212, WEB-213] given two windows of a document, when one comments on a node, mentions the other, resolves and deletes the node, then the other sees each of it without a reload', async () => {
    const mira = await app.invite('Mira', 'viewer')
    const panel = createNode(KINDS.panel, { position: { x: 0, y: 0 }, nickName: 'Width' })
    const id = await app.make('Discussed', (doc) => addNodes(doc, [panel]))
    const [one, two] = await Promise.all([app.show(id), app.show(id, { person: mira })])
    await findNode(one, 'Width').waitFor()
    // The code of the pins may be loaded only after the click.
    const { promise: isClicked, resolve: loadPins } = Promise.withResolvers<void>()
    await one.route(/\/graph-pins-[^/]+\.js$/, async (route) => {
      await isClicked
      await route.continue()
    })
    await one.keyboard.press('c')
    await one.getByText('Click a node, a group, or a point').waitFor()
    await findNode(one, 'Width').click({ position: { x: 8, y: 8 } })
    const field = one.getByRole('textbox', { name: 'Comment' })
    await one.getByText('Node Width').waitFor()
    loadPins()
    await field.pressSequentially('<b>See</b> https://example.org/a?b=1, @mi')
    await one.getByRole('option', { name: 'Mira' }).waitFor()
    await assertAccessible(one)
    await field.press('Enter')
    await one.waitForFunction(() => document.querySelector('textarea')!.value.endsWith('@Mira '))
    // What is typed stays when the panel is closed.
    const closing = one.getByRole('button', { name: 'Close the comments' })
    await closing.click()
    await closing.waitFor({ state: 'detached' })
    await one.getByRole('button', { name: 'Comments', exact: true }).click()
    await findNode(one, 'Width').click({ position: { x: 8, y: 8 } })
    await one.getByRole('button', { name: 'New comment' }).click()
    await one.getByText('Node Width').waitFor()
    assert.match(await field.inputValue(), /@Mira $/)
    await field.press('Control+Enter')
    await one.getByRole('button', { name: 'Resolve' }).waitFor()
    // The field is gone, and the focus is not lost with it.
    await one.waitForFunction(() => document.activeElement !== document.body)

    // The other window.
    await two.getByRole('button', { name: 'Comments, 1 unread' }).waitFor()
    await two.getByRole('button', { name: /^Comment of .*, unread: <b>See<\/b>/ }).click()
    const thread = two.getByRole('list', { name: 'Comments of the thread' })
    await thread.getByText('<b>See</b>').waitFor()
    const link = thread.getByRole('link')
    assert.equal(await link.getAttribute('href'), 'https://example.org/a?b=1')
    assert.match((await link.getAttribute('rel'))!, /noopener/)
    await thread.locator('bdi[data-me]', { hasText: '@Mira' }).waitFor()
    await two.getByRole('button', { name: 'Comments', exact: true }).waitFor()
    await two.getByRole('textbox', { name: 'Reply' }).fill('I have seen it.')
    await two.getByRole('button', { name: 'Reply' }).click()
    await one.getByRole('list', { name: 'Comments of the thread' }).getByText('I have seen it.').waitFor()
    await assertAccessible(two)

    // Edited and resolved.
    await one.getByRole('button', { name: /^Actions of the comment of (?!Mira)/ }).click()
    await one.getByRole('menuitem', { name: 'Edit' }).click()
    const edited = one.getByRole('textbox', { name: 'Edit the comment' })
    assert.match(await edited.inputValue(), /@Mira$/)
    await edited.fill('Look here')
    await one.getByRole('button', { name: 'Save' }).click()
    await thread.getByText('Look here').waitFor()
    await thread.getByText('edited').waitFor()
    await one.getByRole('button', { name: 'Resolve' }).click()
    await two.getByRole('button', { name: 'Reopen' }).click()
    await one.getByRole('button', { name: 'Resolve' }).waitFor()

    // The thread of a deleted node stays, and belongs to it again after an undo.
    await findNode(one, 'Width').click({ position: { x: 8, y: 8 } })
    await one.keyboard.press('Delete')
    await two.getByText('Its node was deleted').waitFor()
    await two.getByRole('button', { name: /^Comment of/ }).waitFor({ state: 'detached' })
    await one.getByRole('button', { name: 'Undo' }).click()
    await two.getByText('Node Width').waitFor()

    // An address leads to it.
    const address = two.url()
    assert.match(address, /\?(.*&)?comment=thr_\w+/)
    await two.goto(address)
    await thread.getByText('Look here').waitFor()
    await two.getByRole('button', { name: 'All comments' }).click()
    await two.getByRole('list', { name: 'Open comments' }).getByText('Node Width · 1 reply').waitFor()
    await two.getByText('Resolved', { exact: true }).click()
    await two.getByText('No comments are resolved.').waitFor()
    await Promise.all([one.context().close(), two.context().close()])
  })

  test('[WEB-214, WEB-219] given geometry, when a point of it is commented on, then its pin follows the camera, is faded behind the geometry, leads back to the point, and stands beside that of another thread there', async () => {
    const sphere = createNode(KINDS.sphere, { position: { x: 0, y: 0 }, nickName: 'Ball' })
    const round = await app.make('Round', (doc) => addNodes(doc, [sphere]))
    const page = await app.show(round, { drawsGeometry: true })
    await page.getByText('3D', { exact: true }).click()
    await page.locator('canvas[data-visible="1"]').waitFor()
    const canvas = page.getByLabel(/^The geometry of the solution/)
    await canvas.focus()
    await page.keyboard.press('2')
    await page.keyboard.press('c')
    await page.getByText('Click a node, a group, or a point').waitFor()
    await page.locator('canvas[data-anchoring]').waitFor()
    const { width, height } = (await canvas.boundingBox())!
    // Inside a triangle of the mesh.
    await canvas.click({ position: { x: width / 2 + 33, y: height / 2 - 21 } })
    await page.getByText('A point on Ball').waitFor()
    await page.getByRole('textbox', { name: 'Comment' }).fill('Too round')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    const pin = page.getByRole('button', { name: /^Comment of .*: Too round/ })
    await pin.waitFor()
    await pin.and(page.locator(':not([data-covered])')).waitFor()
    const { x } = (await pin.boundingBox())!
    await canvas.focus()
    await page.keyboard.press('Shift+ArrowLeft')
    await page.waitForFunction(
      ([label, x]) => {
        const element = document.querySelector(`[aria-label$="${label}"][data-pin]`)!
        return Math.abs(element.getBoundingClientRect().x - Number(x)) > 20
      },
      ['Too round', x] as const,
    )
    // From the other side, the ball is in front of it.
    await page.keyboard.press('4')
    await pin.and(page.locator('[data-covered]')).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Show the place' }).click()
    const [, id] = /documents\/(\w+)/.exec(page.url())!
    const owner = await app.owner()
    const { threads } = await (await app.ask(owner, `/documents/${id}/threads`)).json()
    const body = { anchor: threads[0].anchor, text: 'And too small' }
    await app.ask(owner, `/documents/${id}/threads`, { method: 'POST', body })
    const other = page.getByRole('button', { name: /^Comment of .*: And too small/ })
    await other.waitFor()
    await page.waitForFunction(() => {
      const [one, two] = [...document.querySelectorAll('[data-pin]')].map((pin) =>
        pin.getBoundingClientRect(),
      )
      return one && two && Math.abs(one.x - two.x) >= 20 && Math.abs(one.y - two.y) < 2
    })
    await page.context().close()
  })
})
