import type { Page } from 'playwright-core'

/** What the page does while something moves. Times in milliseconds. */
export interface Frames {
  perSecond: number
  longestMs: number
  /** Of the tasks that block input. */
  longestTaskMs: number
  /** Of the page's own thread for each frame: what is left of it on a machine with a graphics card. */
  threadMs: number
}

/** Measures the frames that the page draws while something is done. */
export async function countFrames(page: Page, work: () => Promise<void>): Promise<Frames> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable')
  const readThread = async () => {
    const { metrics } = await devTools.send('Performance.getMetrics')
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value
  }
  const before = await readThread()
  await page.evaluate(startCounting)
  await work()
  const { times, longestTaskMs } = await page.evaluate(stopCounting)
  const thread = (await readThread()) - before
  await devTools.detach()
  const lengths = times.slice(1).map((time, index) => time - times[index]!)
  return {
    perSecond: (1000 * lengths.length) / (times.at(-1)! - times[0]!),
    longestMs: Math.max(...lengths),
    longestTaskMs,
    threadMs: thread / lengths.length,
  }
}

interface Counting {
  counting?: { times: number[]; tasks: number[]; observer: PerformanceObserver }
}

/** Runs in the page. */
function startCounting(): void {
  const times: number[] = []
  const tasks: number[] = []
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration)
  })
  observer.observe({ type: 'longtask' })
  Object.assign(globalThis, { counting: { times, tasks, observer } })
  const next = (now: number) => {
    times.push(now)
    if ((globalThis as Counting).counting) requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
}

/** Runs in the page. Only tasks of 50 ms and more are reported to it. */
function stopCounting(): { times: number[]; longestTaskMs: number } {
  const { times, tasks, observer } = (globalThis as Counting).counting!
  observer.disconnect()
  delete (globalThis as Counting).counting
  return { times, longestTaskMs: Math.max(0, ...tasks) }
}

const MOVES = 60

/** Drags from a point in a circle and back to it, as fast as the page takes it. */
export async function drag(
  page: Page,
  at: { x: number; y: number },
  button: 'left' | 'middle',
  moves = MOVES,
): Promise<Frames> {
  await page.mouse.move(at.x, at.y)
  await page.mouse.down({ button })
  const frames = await countFrames(page, async () => {
    for (let step = 1; step <= moves; step++) {
      const angle = (step / moves) * 4 * Math.PI
      await page.mouse.move(at.x + 120 * Math.sin(angle), at.y + 60 * (1 - Math.cos(angle)))
    }
  })
  await page.mouse.up({ button })
  return frames
}

const WHEEL_STEPS = 16

/** Zooms in from the whole to where nodes can be read, and out again. */
export async function zoom(page: Page, at: { x: number; y: number }): Promise<Frames> {
  await page.mouse.move(at.x, at.y)
  return countFrames(page, async () => {
    for (const delta of [-150, 150])
      for (let step = 0; step < WHEEL_STEPS; step++) {
        await page.mouse.wheel(0, delta)
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
      }
  })
}

const NOTCHES = 120
/** Of a wheel, in pixels. */
const NOTCH = 120

/** Scrolls down a long page, a notch of the wheel in each frame. */
export async function scroll(page: Page): Promise<Frames> {
  await page.mouse.move(700, 500)
  return countFrames(page, async () => {
    for (let notch = 0; notch < NOTCHES; notch++) {
      await page.mouse.wheel(0, NOTCH)
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
    }
  })
}
