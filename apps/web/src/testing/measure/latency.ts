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
