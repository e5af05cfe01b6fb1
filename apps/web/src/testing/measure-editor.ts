import { loadavg } from 'node:os'
import type { Page } from 'playwright-core'
import { startBrowser } from './browser.ts'
import { fillWithNodes } from './large-graph.ts'
import { signIn } from './start-app.ts'
import { startDemo } from './start-demo.ts'

/*
 * How the editor does with 2,000 nodes, drawn in software: `node apps/web/src/testing/measure-editor.ts`.
 * Prints how long it takes until it can be used, and how many frames there are a second, and how long the slowest of
 * twenty takes, while nodes are dragged and the canvas is moved. Drawing in software needs both cores: with a load of
 * the machine of more than one, the figures depend on its other work.
 */

const NODES = 2000
const MOVES = 90
/** Far nodes are painted, but for the one under the pointer and the one that can be tabbed to. */
const SINGLED = 2

interface Frames {
  perSecond: number
  slowMs: number
}

/** Frames that the page draws while something is done. */
async function countFrames(page: Page, work: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(globalThis, { frameTimes: times })
    const next = (now: number) => {
      times.push(now)
      if ('frameTimes' in globalThis) requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
  await work()
  const times = await page.evaluate(() => {
    const all = globalThis as unknown as { frameTimes?: number[] }
    const found = all.frameTimes ?? []
    delete all.frameTimes
    return found
  })
  const lengths = times.slice(1).map((time, index) => time - times[index]!)
  lengths.sort((a, b) => a - b)
  const whole = times.at(-1)! - times[0]!
  return { perSecond: (1000 * lengths.length) / whole, slowMs: lengths[Math.floor(lengths.length * 0.95)]! }
}

/** Moves the pointer from here to there and back, as fast as the page takes it. */
async function sway(page: Page, at: { x: number; y: number }): Promise<void> {
  for (let step = 1; step <= MOVES; step++) {
    const angle = (step / MOVES) * 4 * Math.PI
    await page.mouse.move(at.x + 120 * Math.sin(angle), at.y + 60 * (1 - Math.cos(angle)))
  }
}

async function middleOf(page: Page): Promise<{ x: number; y: number }> {
  const box = await page.locator('.react-flow__pane').boundingBox()
  return { x: box!.x + box!.width / 2, y: box!.y + box!.height / 2 }
}

/** The middle of the node nearest to the middle of the canvas: there it takes no grip. */
async function findNode(page: Page): Promise<{ x: number; y: number }> {
  const middle = await middleOf(page)
  const node = page.locator('.react-flow__node')
  for (let step = 0; (await node.count()) < SINGLED; step++)
    await page.mouse.move(middle.x + 3 * (step % 20), middle.y + 3 * Math.floor(step / 20))
  return page.evaluate(({ x, y }) => {
    const centres = [...document.querySelectorAll('.react-flow__node')].map((node) => {
      const { left, top, width, height } = node.getBoundingClientRect()
      return { x: left + width / 2, y: top + height / 2 }
    })
    const far = (centre: { x: number; y: number }) => Math.hypot(centre.x - x, centre.y - y)
    return centres.sort((a, b) => far(a) - far(b))[0]!
  }, middle)
}

/** An empty point of the canvas, at its upper left. */
async function findEmpty(page: Page): Promise<{ x: number; y: number }> {
  return page.evaluate(() => {
    for (let at = 150; ; at += 7) {
      const [x, y] = [at, at]
      if (document.elementFromPoint(x, y)?.matches('.react-flow__pane')) return { x, y }
    }
  })
}

/** One step, and waits until the canvas has come to rest and is drawn sharp. */
async function zoomIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Zoom In' }).click()
  await page.evaluate(async () => {
    const read = () => document.querySelector<HTMLElement>('.react-flow__viewport')!.style.transform
    for (let last = ''; last !== read(); ) {
      last = read()
      await new Promise((done) => setTimeout(done, 300))
    }
  })
}

async function dragNode(page: Page): Promise<Frames> {
  const at = await findNode(page)
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  const frames = await countFrames(page, () => sway(page, at))
  await page.mouse.up()
  return frames
}

async function pan(page: Page): Promise<Frames> {
  const at = await middleOf(page)
  await page.mouse.move(at.x, at.y)
  await page.mouse.down({ button: 'middle' })
  const frames = await countFrames(page, () => sway(page, at))
  await page.mouse.up({ button: 'middle' })
  return frames
}

const report = (what: string, { perSecond, slowMs }: Frames) =>
  process.stdout.write(
    `${what.padEnd(46)} ${perSecond.toFixed(0)} frames/s, slow ${slowMs.toFixed(0)} ms (load ${loadavg()[0]!.toFixed(1)})\n`,
  )

const [browser, demo] = await Promise.all([startBrowser(), startDemo()])
try {
  const context = await browser.newContext({ baseURL: demo.address, viewport: { width: 1280, height: 800 } })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  await signIn(page, demo)
  await page.getByRole('button', { name: 'New document' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Large')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.locator('.react-flow__pane').waitFor()
  const documentId = new URL(page.url()).pathname.split('/').at(-1)!
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  await page.goto('/account')
  await fillWithNodes({ address: demo.address, documentId, cookie }, NODES)
  for (const round of ['first', 'again']) {
    const from = performance.now()
    await page.goto(`/documents/${documentId}`, { waitUntil: 'commit' })
    await page.locator('[data-wires]:not([data-wires="0"])').waitFor({ state: 'attached' })
    const seen = performance.now() - from
    // The editor is usable when it draws a frame after a click.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
    const usable = performance.now() - from
    process.stdout.write(
      `Opened ${round}: nodes seen after ${seen.toFixed(0)} ms, usable ${usable.toFixed(0)} ms\n`,
    )
  }
  await page.getByText('Solved', { exact: true }).waitFor()
  report('All in sight, one node dragged', await dragNode(page))
  report('All in sight, moved', await pan(page))
  await page.keyboard.press('Control+a')
  report('All in sight, all 2,000 dragged', await dragNode(page))
  await page.keyboard.press('Escape')
  // Until nodes are elements of the page.
  while ((await page.locator('.react-flow__node').count()) <= SINGLED) await zoomIn(page)
  report('Close, one node dragged', await dragNode(page))
  report('Close, moved', await pan(page))
  const at = await findEmpty(page)
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  await page.mouse.move(at.x + 450, at.y + 400, { steps: 4 })
  await page.mouse.up()
  await page.locator('.react-flow__node.selected').first().waitFor()
  process.stdout.write(`${await page.locator('.react-flow__node.selected').count()} nodes are selected\n`)
  report('Close, these dragged', await dragNode(page))
} finally {
  await browser.close()
  await demo.stop()
}
