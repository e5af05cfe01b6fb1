import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { afterEach, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../testing/assert-accessible.ts'
import { noBrowser } from '../testing/browser.ts'
import { useApp } from '../testing/start-app.ts'

const NEVER_SOLVED = 'Acoustic ceiling'

describe('the editor', { skip: noBrowser }, () => {
  const app = useApp()
  afterEach(() => app.checkTroubles())

  async function ask(path: string) {
    const answer = await fetch(`${app.demo.address}/api/v1${path}`, {
      headers: { authorization: `Bearer ${app.demo.token}` },
    })
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
    return { status: answer.status, json: (await answer.json()) as any }
  }

  async function findDocument(name: string): Promise<string> {
    return (await ask(`/documents?q=${encodeURIComponent(name)}`)).json.documents[0].id
  }

  async function openDocument(page: Page, name: string): Promise<string> {
    const id = await findDocument(name)
    await page.goto(`/documents/${id}`)
    await page.locator('.react-flow__node').first().waitFor()
    return id
  }

  async function openNew(page: Page, name: string): Promise<string> {
    await page.getByRole('button', { name: 'New document' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.locator('.react-flow__pane').waitFor()
    return new URL(page.url()).pathname.split('/').at(-1)!
  }

  /** As with a double click on the empty canvas. */
  async function addNode(page: Page, typed: string, at: { x: number; y: number }) {
    await page.locator('.react-flow__pane').dblclick({ position: at })
    await page.getByRole('combobox', { name: 'What to add' }).fill(typed)
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'What to add' }).waitFor({ state: 'detached' })
  }

  test('[WEB-7] given a document that was never solved, when it is opened, then it is solved and credits are spent', async () => {
    const page = await app.open()
    const credits = async () => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('tab', { name: 'Credits' }).click()
      return page.getByText('Credits left').locator('..').textContent()
    }
    const before = await credits()
    const id = await findDocument(NEVER_SOLVED)
    assert.equal((await ask(`/documents/${id}/solution`)).status, 409)
    await openDocument(page, NEVER_SOLVED)
    await page.getByText('Solved', { exact: true }).waitFor()
    assert.equal((await ask(`/documents/${id}/solution`)).status, 200)
    assert.notEqual(await credits(), before)
    await page.context().close()
  })

  test('[WEB-7, WEB-10] given a solved document, when it is opened, then graph and geometry are there', async () => {
    const page = await app.open()
    await openDocument(page, 'Twisted tower')
    await page.getByText('Solved', { exact: true }).waitFor()
    const scene = await page.waitForResponse((answer) => answer.url().endsWith('/scene'))
    assert.equal(scene.status(), 200)
    await page.getByLabel('Loading the geometry').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Fit the view' }).click()
    await app.keepPicture(page, 'editor')
    await page.context().close()
  })

  test('[WEB-12, WEB-7] given a new document, when nodes are added and wired, then it is solved as it is', async () => {
    const page = await app.open()
    const id = await openNew(page, 'Sum of two')
    await addNode(page, '0<3<10', { x: 150, y: 100 })
    await addNode(page, '0<4<10', { x: 150, y: 220 })
    await addNode(page, 'Addition', { x: 420, y: 160 })
    const outputs = page.locator('.react-flow__handle-right')
    const inputs = page.locator('.react-flow__handle-left')
    await outputs.nth(0).dragTo(inputs.nth(0))
    await outputs.nth(1).dragTo(inputs.nth(1))
    await page.locator('canvas[data-wires="2"]').waitFor({ state: 'attached' })
    // Each edit is followed by a solve: the last one has both wires.
    const panel = page.locator('.react-flow__node').last()
    await addNode(page, '"', { x: 650, y: 160 })
    await outputs.nth(2).dragTo(page.locator('.react-flow__handle-left').last())
    await panel.getByText('7').waitFor()
    assert.equal((await ask(`/documents/${id}/solution`)).status, 200)
    await page.context().close()
  })

  test('[WEB-8] given two people in a document, then they see each other, and each other’s edits and undo', async () => {
    const [one, two] = await Promise.all([app.open(), app.open()])
    const id = await openNew(one, 'Together')
    await two.goto(`/documents/${id}`)
    await two.locator('.react-flow__pane').waitFor()
    await one.getByRole('group', { name: /Also here/ }).waitFor()
    await addNode(one, '"from one', { x: 200, y: 150 })
    await two.locator('.react-flow__node').getByText('from one').waitFor()
    await addNode(two, '"from two', { x: 200, y: 320 })
    await one.locator('.react-flow__node').getByText('from two').waitFor()
    await one.getByRole('button', { name: 'Undo' }).click()
    await two.locator('.react-flow__node').getByText('from one').waitFor({ state: 'detached' })
    assert.equal(await two.locator('.react-flow__node').getByText('from two').count(), 1)
    await Promise.all([one.context().close(), two.context().close()])
  })

  test('[WEB-12] given a slider, when its name is double-clicked, then its range and value can be edited, and undone', async () => {
    const page = await app.open()
    await openNew(page, 'One slider')
    await addNode(page, '0<3<10', { x: 300, y: 200 })
    const slider = page.locator('.react-flow__node-slider')
    await slider.locator('span').first().dblclick()
    const dialog = page.getByRole('dialog', { name: 'Number slider' })
    await dialog.getByLabel('Highest').fill('250')
    await dialog.getByLabel('Value').fill('120')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await slider.getByText('120', { exact: true }).waitFor()
    assert.equal(await slider.getByRole('slider').getAttribute('max'), '250')
    await page.getByRole('button', { name: 'Undo' }).click()
    await slider.getByText('3', { exact: true }).waitFor()
    // With the keys alone: to the node, into its slider, and away with it.
    await slider.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowRight')
    await slider.getByText('4', { exact: true }).waitFor()
    await slider.click({ position: { x: 3, y: 3 } })
    await page.keyboard.press('Delete')
    await slider.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('[WEB-16] given a public document, when a visitor without an account opens it, then they see it and change nothing', async () => {
    const member = await app.open()
    const id = await findDocument('Truss bridge')
    const made = await member.request.patch(`/app/v1/documents/${id}`, {
      data: { visibility: 'public' },
      headers: { origin: app.demo.address },
    })
    assert.equal(made.status(), 200)
    const page = await app.open({ isSignedOut: true })
    await page.goto(`/documents/${id}`)
    const node = page.locator('.react-flow__node').first()
    await node.waitFor()
    await page.getByText('Solved', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: /Solve|Export|Undo/ }).count(), 0)
    const before = await page.locator('.react-flow__node').count()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.locator('.react-flow__pane').dblclick({ position: { x: 20, y: 20 } })
    assert.equal(await page.getByRole('combobox', { name: 'What to add' }).count(), 0)
    assert.equal(await page.locator('.react-flow__node').count(), before)
    await Promise.all([page.context().close(), member.context().close()])
  })

  test('[WEB-9] given a document, when it is exported, then the file has its name', async () => {
    const page = await app.open()
    await openDocument(page, 'Truss bridge')
    await page.getByRole('button', { name: 'Export' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Grasshopper definition' }).click(),
    ])
    assert.match(file.suggestedFilename(), /^Truss bridge\.gh$/)
    await page.context().close()
  })

  test('[WEB-14] given a document, when its script is shown, then the lines for curl work', async () => {
    const page = await app.open()
    await openDocument(page, 'Truss bridge')
    await page.getByRole('button', { name: 'Script' }).click()
    const lines = await page.getByRole('tabpanel').locator('pre').textContent()
    const [line] = lines!.split('\n')
    const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -s`], {
      env: { PATH: '/usr/bin:/bin', MEADOW_TOKEN: app.demo.token },
    })
    assert.equal(JSON.parse(stdout).document.name, 'Truss bridge')
    await page.context().close()
  })

  test('[WEB-11] given the editor, in light and dark, then axe finds nothing serious', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await app.open({ colorScheme })
      await openDocument(page, 'Truss bridge')
      await page.getByText('Solved', { exact: true }).waitFor()
      await assertAccessible(page)
      await page.context().close()
    }
  })

  test('[WEB-15] given the first page, then its scripts are smaller than 300 KB compressed', async () => {
    const page = await app.open({ isSignedOut: true })
    let bytes = 0
    page.on('response', async (answer) => {
      if (answer.url().endsWith('.js')) bytes += Number(answer.headers()['content-length'] ?? Number.NaN)
    })
    await page.goto('/')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.ok(bytes > 50_000 && bytes < 300_000, `${bytes} bytes`)
    await page.context().close()
  })
})
