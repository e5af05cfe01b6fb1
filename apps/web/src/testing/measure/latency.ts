import type { Page } from 'playwright-core'
import { findNode } from '../use-editor.ts'
import type { Drawn } from '../watch-drawing.ts'

/** Milliseconds from a key that changes a slider to the frame in which what depends on it is drawn, for each key. */
export interface Latency {
  valueMs: number[]
  geometryMs: number[]
}

const KEYS = 8

/** Changes the slider of the open document of `fillSum` with the keyboard, each time when the last change is drawn. */
export async function measureLatency(page: Page): Promise<Latency> {
  const slider = page.getByRole('slider', { name: 'Input' })
  await slider.focus()
  const panel = await findNode(page, 'Output').elementHandle()
  const latency: Latency = { valueMs: [], geometryMs: [] }
  for (let key = 0; key < KEYS; key++) {
    await page.evaluate(startWatching, panel!)
    await page.keyboard.press('ArrowRight')
    const { value, geometry } = await page.evaluate(waitForBoth)
    // The first change also loads the code that solves in the browser.
    if (key === 0) continue
    latency.valueMs.push(value)
    latency.geometryMs.push(geometry)
  }
  return latency
}

interface Watching {
  drawn: Drawn
  watching: Promise<{ value: number; geometry: number }>
}

/** Runs in the page. */
function startWatching(panel: Element): void {
  const page = globalThis as unknown as Watching
  const before = panel.textContent
  page.drawn.at = 0
  page.watching = new Promise((resolve) => {
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        let value = 0
        const look = () => {
          if (!value && panel.textContent !== before) value = performance.now() - timeStamp
          if (value && page.drawn.at > 0)
            resolve({ value, geometry: Math.max(value, page.drawn.at - timeStamp) })
          else setTimeout(() => requestAnimationFrame(look))
        }
        requestAnimationFrame(look)
      },
      { once: true, capture: true },
    )
  })
}

const waitForBoth = () => (globalThis as unknown as Watching).watching

/** Of the player. Milliseconds from a key that changes a slider, for each key. */
export interface PlayerLatency {
  /** Until the worker has answered. */
  solvedMs: number[]
  /** Until the page has drawn the answer. */
  drawnMs: number[]
  /** Until the frame after that: software has finished the picture. */
  frameMs: number[]
  /** Until the geometry is drawn in the usual detail. */
  exactMs: number[]
}

const PLAYER_KEYS = 13

/** Changes a slider of the open player with the keyboard, each time when the picture of the last change is complete. */
export async function measurePlayerLatency(page: Page, name: string): Promise<PlayerLatency> {
  await page.getByRole('slider', { name }).focus()
  const latency: PlayerLatency = { solvedMs: [], drawnMs: [], frameMs: [], exactMs: [] }
  for (let key = 0; key < PLAYER_KEYS; key++) {
    await page.evaluate(startWatchingPlayer)
    await page.keyboard.press('ArrowRight')
    const seen = await page.evaluate(() => (globalThis as unknown as WatchingPlayer).watching)
    if (key === 0) continue
    for (const what of ['solvedMs', 'drawnMs', 'frameMs', 'exactMs'] as const) latency[what].push(seen[what])
  }
  return latency
}

interface WatchingPlayer {
  drawn: Drawn
  /** When the worker answered first. */
  solvedAt: number
  watching: Promise<Record<keyof PlayerLatency, number>>
}

/** Notes when workers answer. Call it before the page is opened. */
export const watchWorkers = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const { Worker } = globalThis
    globalThis.Worker = class extends Worker {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given)
        this.addEventListener('message', ({ data }) => {
          const page = globalThis as unknown as WatchingPlayer
          if (data.type === 'solved') page.solvedAt ||= performance.now()
        })
      }
    }
  })

/** Runs in the page. */
function startWatchingPlayer(): void {
  const page = globalThis as unknown as WatchingPlayer
  const isMarked = (mark: string) =>
    document.querySelector(`section[aria-label=Geometry][data-${mark}]`) !== null
  page.drawn.at = 0
  page.solvedAt = 0
  page.watching = new Promise((resolve) => {
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        let [drawn, frame] = [0, 0]
        const look = () => {
          const isAnswered = page.solvedAt > 0 && page.drawn.at > page.solvedAt
          if (!drawn && isAnswered && !isMarked('stale')) {
            drawn = page.drawn.at
            frame = performance.now()
          }
          // The last frame may be in the making: the next key comes when it is there.
          const finish = () =>
            resolve({
              solvedMs: page.solvedAt - timeStamp,
              drawnMs: drawn - timeStamp,
              frameMs: frame - timeStamp,
              exactMs: page.drawn.at - timeStamp,
            })
          if (drawn && !isMarked('rough')) setTimeout(() => requestAnimationFrame(finish))
          else setTimeout(() => requestAnimationFrame(look))
        }
        requestAnimationFrame(look)
      },
      { once: true, capture: true },
    )
  })
}
