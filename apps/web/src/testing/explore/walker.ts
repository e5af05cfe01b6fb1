import type { Page, Request } from 'playwright-core'
import type { Random } from '../../../../server/src/testing/random.ts'
import { CHARACTER_KEYS, COMMANDS } from '../../document/keys/use-keys.ts'
import { type Control, listControls, readFocus, watchChanges } from './controls.ts'

/** What would end the walk, or leave the server. */
const LEFT_ALONE =
  /sign out|log out|delete (my|your|the|this)? ?(account|team)|leave|end (this|all)|remove password/i

const TEXTS = [
  'tower',
  '12',
  '-3.5',
  '0',
  'Slider',
  'a'.repeat(300),
  '<b>&"',
  'Ünï çødé 木',
  ' ',
  '1 to 10',
  'x*2+',
  '2026-02-30',
]
/** The shortcuts of the editor, and the keys that act everywhere. */
const KEYS = [
  ...Object.values(COMMANDS).flatMap(({ keys }) => keys.map(toPress)),
  ...Object.values(CHARACTER_KEYS).map(({ key }) => key),
  ...['Enter', 'Tab', 'Shift+Tab', 'Space', 'Home', 'End', 'Control+c', 'Control+x', 'Control+v', 'F2'],
]

/** A key of the editor's list as Playwright names it. */
export function toPress(key: string): string {
  return key.replace('mod', 'Control').replace('shift', 'Shift')
}

/** What has an effect when it is clicked. */
const PRESSED = new Set(['button', 'submit', 'a', 'tab', 'menuitem', 'switch', 'summary', 'link'])

const SETTLE_MS = 5000
const QUIET_MS = 80
const EFFECT_MS = 1500
const TABS = 40
/** How often in a row the same element may get the focus by Tab: a field may have two stops. */
const MOST_SAME = 4

/** Walks through the app as somebody who tries everything, with the choices of `random`. */
export class Walker {
  readonly page: Page
  readonly #random: Random
  readonly #underWay = new Set<Request>()
  readonly #tried = new Map<string, number>()
  readonly #dead = new Map<string, number>()
  readonly #faults: string[] = []
  readonly #steps: string[] = []
  #events = 0

  constructor(page: Page, random: Random) {
    this.page = page
    this.#random = random
    const isCounted = (request: Request) => !['eventsource', 'websocket'].includes(request.resourceType())
    page.on('request', (request) => {
      this.#events++
      if (isCounted(request)) this.#underWay.add(request)
    })
    page.on('requestfinished', (request) => this.#underWay.delete(request))
    page.on('requestfailed', (request) => this.#underWay.delete(request))
    page.on('download', () => this.#events++)
    page.on('filechooser', () => this.#events++)
    page.on('popup', (opened) => {
      this.#events++
      void opened.close()
    })
    page.on('dialog', (dialog) => {
      this.#events++
      dialog.accept().catch(({ message }) => this.report(`A dialog cannot be answered: ${message}`))
    })
    page.on('crash', () => this.report('The page crashed.'))
    page.on('pageerror', ({ message }) => this.report(`Uncaught: ${message}`))
    page.on('console', (message) => {
      const isAnswer = /^Failed to load resource.* status of (4\d\d|503)/.test(message.text())
      if (message.type() === 'error' && !isAnswer) this.report(`Console: ${message.text().slice(0, 300)}`)
    })
    page.on('response', (response) => {
      if (response.status() === 500) this.report(`${response.request().method()} ${response.url()} is 500.`)
    })
  }

  static prepare = (page: Page): Promise<unknown> => page.addInitScript(watchChanges)

  get faults(): readonly string[] {
    return this.#faults
  }

  /** The number of kinds of controls that were tried, and of all that was done. */
  get reached(): { controls: number; steps: number } {
    return { controls: this.#tried.size, steps: this.#steps.length }
  }

  /** Notes a fault with the steps that led to it, once. */
  report(fault: string): void {
    const text = fault.replaceAll(/[a-z]{3}_[a-z0-9]{16}/g, '*')
    if (this.#faults.some((known) => known.startsWith(text))) return
    this.#faults.push(`${text}\n  at ${this.page.url()}, after: ${this.#steps.slice(-8).join('; ')}`)
  }

  /** Does one thing, and looks at what it did. */
  async step(): Promise<void> {
    const chance = this.#random.fraction()
    if (chance < 0.12) await this.#press()
    else if (chance < 0.2) await this.#actOnCanvas()
    else if (chance < 0.22) await this.#goBack()
    else await this.#actOnControl()
    await this.settle()
    if (await this.page.getByText('Something went wrong').first().isVisible()) {
      this.report('"Something went wrong" is shown.')
      await this.goto('/')
    }
  }

  async goto(path: string): Promise<void> {
    this.#steps.push(`go to ${path}`)
    await this.page.goto(path)
    await this.settle()
  }

  note(step: string): void {
    this.#steps.push(step)
  }

  /** Waits until nothing is being read, for a while at most. */
  async settle(): Promise<void> {
    const end = performance.now() + SETTLE_MS
    do await this.page.waitForTimeout(QUIET_MS)
    while (this.#underWay.size > 0 && performance.now() < end)
  }

  /** Goes through the page with Tab: the focus has to go on, unless a dialog keeps it. */
  async checkKeyboard(): Promise<void> {
    const seen: string[] = []
    for (let time = 0; time < TABS; time++) {
      await this.page.keyboard.press('Tab')
      const { focused, isKept } = await this.page.evaluate(readFocus)
      if (isKept) return
      seen.push(focused)
      const last = seen.slice(-MOST_SAME)
      if (last.length === MOST_SAME && last.every((one) => one === focused)) {
        const what = await this.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120))
        return this.report(`Tab does not leave ${what}`)
      }
    }
  }

  async #press(): Promise<void> {
    const key = this.#random.pick(KEYS)
    this.#steps.push(`press ${key}`)
    await this.page.keyboard.press(key)
  }

  async #goBack(): Promise<void> {
    this.#steps.push('go back')
    await this.page.goBack().catch(() => undefined)
    if (!this.page.url().startsWith('http')) await this.goto('/')
  }

  async #actOnCanvas(): Promise<void> {
    const box = await this.page
      .locator('.react-flow__pane')
      .boundingBox({ timeout: 100 })
      .catch(() => null)
    if (!box) return this.#press()
    const at = () =>
      [box.x + this.#random.fraction() * box.width, box.y + this.#random.fraction() * box.height] as const
    const [[x, y], [toX, toY]] = [at(), at()]
    const { mouse } = this.page
    const ways: Record<string, () => Promise<unknown>> = {
      click: () => mouse.click(x, y),
      'click twice': () => mouse.dblclick(x, y),
      'open the menu': () => mouse.click(x, y, { button: 'right' }),
      'turn the wheel': () => mouse.move(x, y).then(() => mouse.wheel(0, toY - y)),
      drag: async () => {
        await mouse.move(x, y)
        await mouse.down()
        await mouse.move(toX, toY, { steps: 4 })
        await mouse.up()
      },
    }
    const way = this.#random.pick(Object.keys(ways))
    this.#steps.push(`${way} at ${Math.round(x)} ${Math.round(y)}`)
    await ways[way]!()
  }

  async #actOnControl(): Promise<void> {
    const controls = (await this.page.evaluate(listControls)).filter(({ name }) => !LEFT_ALONE.test(name))
    if (controls.length === 0) return this.goto('/')
    const control = this.#pick(controls)
    this.#tried.set(control.key, (this.#tried.get(control.key) ?? 0) + 1)
    this.#steps.push(`click ${control.role} "${control.name}"`)
    // Its tooltip is no effect of the click.
    await this.page.mouse.move(control.x, control.y)
    await this.page.waitForTimeout(QUIET_MS)
    const before = await this.#readState()
    await this.page.mouse.click(control.x, control.y)
    if (['text', 'search', 'number', 'textarea', 'combobox', 'email', 'url'].includes(control.role)) {
      const text = this.#random.pick(TEXTS)
      this.#steps.push(`type "${text.slice(0, 20)}"`)
      await this.page.keyboard.type(text)
      if (this.#random.fraction() < 0.5) await this.page.keyboard.press('Enter')
    } else if (!control.isChosen && PRESSED.has(control.role)) await this.#checkEffect(control, before)
  }

  /** Picks a control, rather one that was tried less often than others. */
  #pick(controls: readonly Control[]): Control {
    const weightOf = ({ key }: Control) => 1 / (1 + (this.#tried.get(key) ?? 0)) ** 2
    let left = this.#random.fraction() * controls.reduce((sum, control) => sum + weightOf(control), 0)
    return (
      controls.find((control) => {
        left -= weightOf(control)
        return left < 0
      }) ?? controls.at(-1)!
    )
  }

  #readState = async () => {
    const changes = await this.page.evaluate(() => (globalThis as unknown as { changes: number }).changes)
    return `${this.page.url()} ${this.#events} ${changes}`
  }

  /** A button that twice does nothing that can be seen is a fault. */
  async #checkEffect({ key, role, name }: Control, before: string): Promise<void> {
    const end = performance.now() + EFFECT_MS
    while (performance.now() < end) {
      if ((await this.#readState().catch(() => 'another page')) !== before) return
      await this.page.waitForTimeout(QUIET_MS)
    }
    const times = (this.#dead.get(key) ?? 0) + 1
    this.#dead.set(key, times)
    if (times === 2) this.report(`Nothing happens: ${role} "${name}" (${key})`)
  }
}
