import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { AppResponse, readAppFolder } from '@meadow/contract/web'
import type { Locator, Page } from 'playwright-core'
import type { Random } from '../../../../server/src/testing/random.ts'
import { until } from '../../../../server/src/testing/until.ts'
import { COMMANDS } from '../../document/keys/use-keys.ts'
import { WHOLE_LIST } from '../../folders/list/use-window-rows.ts'
import type { AppApi } from '../app-api.ts'
import type { Demo } from '../start-demo.ts'
import { toPress, type Walker } from './walker.ts'

const MOST_UNDOS = 200
const WAIT_MS = 2000
/** Of which one is edited. */
const MOST_NODES = 40

/** The commands that change a document and are undone. */
const EDITS = ['remove', 'duplicate', 'group', 'ungroup', 'enable', 'preview', 'nudge'] as const

/** Compares what the pages show with what the API says, in words for faults. */
export class Truth {
  readonly #api: AppApi
  readonly #page: Page
  readonly #demo: Demo
  readonly #walker: Walker

  constructor(walker: Walker, demo: Demo, api: AppApi) {
    this.#api = api
    this.#page = walker.page
    this.#demo = demo
    this.#walker = walker
  }

  async #read(path: string) {
    const headers = { authorization: `Bearer ${this.#demo.token}` }
    const answer = await fetch(`${this.#demo.address}/api/v1${path}`, { headers })
    return answer.ok ? await answer.json() : undefined
  }

  /** The list of a folder has what the app API says is in it, nothing else, and its heading is the folder's name. */
  async checkFolder(id: string): Promise<void> {
    const owner = await this.#api.owner()
    const readShown = async () => {
      const heading = await this.#page.getByRole('heading', { level: 1 }).textContent()
      return [heading, ...(await this.#page.locator('[data-item-link]').allTextContents()).toSorted()]
    }
    const readExpected = async () => {
      const answer = await this.#api.ask(owner, `/folders/${id}`)
      const { folder } = (await answer.json()) as AppResponse<typeof readAppFolder>
      const items = [...folder.folders, ...folder.documents, ...folder.files]
      return [folder.name, ...items.map(({ name }) => name).toSorted()]
    }
    let [shown, expected]: unknown[][] = [[], []]
    const agree = until('the list is that of the API', async () => {
      ;[shown, expected] = await Promise.all([readShown(), readExpected()])
      // Of longer lists, only what is in view is in the page.
      return expected.length > WHOLE_LIST || isDeepStrictEqual(shown, expected) || undefined
    })
    await agree.catch(() =>
      this.#walker.report(`A folder and its list are ${shown}, and the API says ${expected}`),
    )
  }

  /** The graph of a document as the API has it when the page has saved everything. */
  async #readSettled(id: string): Promise<unknown> {
    let last = ''
    return until('the document stays as it is', async () => {
      await this.#walker.settle()
      const body = await this.#read(`/documents/${id}`)
      const { nodes, groups, configuration } = body.document
      const text = JSON.stringify({ nodes, groups, configuration })
      const isSame = text === last
      last = text
      return isSame ? JSON.parse(text) : undefined
    })
  }

  /** Whatever is done on the canvas is undone by as many undos, and done again by as many redos. */
  async checkUndo(id: string, random: Random): Promise<void> {
    await this.#walker.goto(`/documents/${id}`)
    await this.#page.locator('[data-wires]').waitFor({ state: 'attached' })
    const before = await this.#readSettled(id)
    for (let time = random.whole(2, 7); time > 0; time--) await this.#edit(random)
    await this.#page.keyboard.press('Escape')
    const after = await this.#readSettled(id)
    const undone = await this.#pressAll('Undo')
    this.#compare(before, await this.#readSettled(id), `After ${undone} undos the document is another one`)
    const redone = await this.#pressAll('Redo')
    this.#compare(after, await this.#readSettled(id), `After ${redone} redos the document is another one`)
    await this.#pressAll('Undo')
  }

  #compare(expected: unknown, actual: unknown, fault: string): void {
    try {
      assert.deepEqual(actual, expected)
    } catch (error) {
      this.#walker.report(`${fault}: ${(error as Error).message.slice(0, 1500)}`)
    }
  }

  async #pressAll(name: 'Undo' | 'Redo'): Promise<number> {
    const button = this.#page.getByRole('button', { name, exact: true })
    let times = 0
    while (times < MOST_UNDOS && (await button.isEnabled())) {
      // Meanwhile it may have undone the last change.
      await button.click({ timeout: WAIT_MS }).then(
        () => times++,
        async (error: Error) => {
          if (await button.isEnabled())
            this.#walker.report(`"${name}" cannot be clicked: ${error.message.slice(-600)}`)
          await this.#page.keyboard.press('Escape')
        },
      )
    }
    return times
  }

  async #edit(random: Random): Promise<void> {
    const { keyboard, mouse } = this.#page
    const nodes = await this.#page.locator('.react-flow__node').all()
    // One that was just removed has none.
    const readBox = (node: Locator) => node.boundingBox({ timeout: WAIT_MS }).catch(() => null)
    const boxes = await Promise.all(nodes.slice(0, MOST_NODES).map(readBox))
    const box = boxes.length > 0 ? random.pick(boxes) : null
    const kind = random.pick(['add', ...(box ? ['drag', 'copy', ...EDITS] : [])])
    this.#walker.note(`edit: ${kind}`)
    if (!box || kind === 'add') return this.#add(random)
    const [x, y] = [box.x + box.width / 2, box.y + 6]
    await mouse.click(x, y)
    if (random.fraction() < 0.3) await keyboard.press('Control+a')
    if (kind === 'drag') {
      await mouse.down()
      await mouse.move(x + random.whole(30, 119), y + random.whole(20, 79), { steps: 5 })
      await mouse.up()
    } else if (kind === 'copy') {
      await keyboard.press('Control+c')
      await keyboard.press('Control+v')
    } else await keyboard.press(toPress(random.pick(COMMANDS[kind as (typeof EDITS)[number]].keys)))
  }

  /** Adds a component with a double click, unless a node is there. */
  async #add(random: Random): Promise<void> {
    const { keyboard, mouse } = this.#page
    const pane = (await this.#page.locator('.react-flow__pane').boundingBox())!
    await mouse.dblclick(pane.x + random.fraction() * pane.width, pane.y + random.fraction() * pane.height)
    const field = this.#page.getByRole('combobox', { name: 'What to add' })
    const isThere = await field.waitFor({ timeout: WAIT_MS }).then(
      () => true,
      () => false,
    )
    if (!isThere) return keyboard.press('Escape')
    await field.fill(random.pick(['Number Slider', 'Addition', 'Panel', 'Circle', 'Series', 'Move']))
    await this.#page.getByRole('option').first().waitFor()
    await keyboard.press('Enter')
    await field.waitFor({ state: 'detached' })
  }
}
