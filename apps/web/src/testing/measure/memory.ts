import type { CDPSession, Page } from 'playwright-core'

/** What is left after everything that nobody uses is collected. */
export interface Memory {
  heapMb: number
  elements: number
  listeners: number
  /** Drawing contexts of WebGL that are not lost; a browser has about sixteen. */
  webGl: number
}

/** Keeps weak references to drawing contexts, so that they can be counted. */
export const watchContexts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const contexts: WeakRef<WebGLRenderingContext>[] = []
    Object.assign(globalThis, { contexts })
    const { getContext } = HTMLCanvasElement.prototype
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...given: unknown[]) {
      const context = Reflect.apply(getContext, this, given)
      if (context && String(given[0]).startsWith('webgl')) contexts.push(new WeakRef(context))
      return context
    } as typeof getContext
  })

export async function readMemory(page: Page, devTools: CDPSession): Promise<Memory> {
  await devTools.send('Performance.enable')
  for (let round = 0; round < 2; round++) await devTools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devTools.send('Performance.getMetrics')
  const read = (name: string) => metrics.find((metric) => metric.name === name)!.value
  const webGl = await page.evaluate(() => {
    const { contexts } = globalThis as unknown as { contexts: WeakRef<WebGLRenderingContext>[] }
    const alive = new Set(contexts.map((context) => context.deref()))
    return [...alive].filter((context) => context && !context.isContextLost()).length
  })
  return {
    heapMb: read('JSHeapUsedSize') / 1e6,
    elements: read('Nodes'),
    listeners: read('JSEventListeners'),
    webGl,
  }
}

/** Opens documents from their folder one after the other, by their links, and closes each again. */
export async function openAndClose(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await page.getByRole('table', { name: 'Contents' }).getByRole('link', { name, exact: true }).click()
    await page.locator('.react-flow__node').first().waitFor()
    await page.getByLabel(/^The geometry/).waitFor()
    await page.getByRole('link', { name: 'Back to the folder' }).click()
    await page.getByRole('table', { name: 'Contents' }).waitFor()
  }
}
