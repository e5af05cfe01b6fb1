import type { Browser, Page } from 'playwright-core'
import { type Person, toCookies } from '../app-api.ts'
import { type Drawn, watchDrawing } from '../watch-drawing.ts'

/** What a browser with empty caches loads for a page, and when something is seen. */
export interface Visit {
  requests: number
  /** As they were sent, with headers. */
  bytes: number
  scriptBytes: number
  imageBytes: number
  /** First and largest contentful paint, in milliseconds after the navigation. */
  firstMs: number
  largestMs: number
  /** When the last new geometry was drawn, after the navigation; 0 where none is. */
  drawnMs: number
}

export interface Place {
  name: string
  path: string
  /** Undefined: a guest. */
  person?: Person
  /** What is there once the page is complete. */
  seen: string
}

/** A connection of an office or a good phone, for times that do not depend on the wire inside this machine. */
const NETWORK = {
  offline: false,
  latency: 40,
  downloadThroughput: (10 * 1e6) / 8,
  uploadThroughput: (5 * 1e6) / 8,
}

/** For a machine that is busy with other work. */
const PATIENCE_MS = 120_000

/** Visits a page for the first time. */
export async function visit(
  browser: Browser,
  address: string,
  { path, person, seen }: Place,
  isTimed = true,
): Promise<Visit> {
  const context = await browser.newContext({ baseURL: address, viewport: { width: 1280, height: 800 } })
  context.setDefaultTimeout(PATIENCE_MS)
  try {
    if (person) await context.addCookies(toCookies(person, address))
    const page = await context.newPage()
    const traffic = await countTraffic(page)
    if (isTimed) await slowDown(page)
    await watchDrawing(page)
    await page.goto(path)
    await page.locator(seen).first().waitFor()
    await page.waitForLoadState('networkidle')
    const [firstMs, largestMs] = await page.evaluate(readPaints)
    const drawnMs = await page.evaluate(() => (globalThis as unknown as { drawn: Drawn }).drawn.at)
    return { ...traffic, firstMs: firstMs!, largestMs: largestMs!, drawnMs }
  } finally {
    await context.close()
  }
}

async function slowDown(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', NETWORK)
}

/** Counts what a page loads from now on, in the object that it returns. */
async function countTraffic(page: Page): Promise<Omit<Visit, 'firstMs' | 'largestMs' | 'drawnMs'>> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  const traffic = { requests: 0, bytes: 0, scriptBytes: 0, imageBytes: 0 }
  const types = new Map<string, string>()
  devTools.on('Network.responseReceived', ({ requestId, type }) => {
    types.set(requestId, type)
  })
  devTools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    traffic.requests++
    traffic.bytes += encodedDataLength
    const type = types.get(requestId)
    if (type === 'Script') traffic.scriptBytes += encodedDataLength
    if (type === 'Image') traffic.imageBytes += encodedDataLength
  })
  return traffic
}

/** Runs in the page. */
async function readPaints(): Promise<number[]> {
  const first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN
  const largest = await new Promise<number>((resolve) =>
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)!.startTime)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    }),
  )
  return [first, largest]
}
