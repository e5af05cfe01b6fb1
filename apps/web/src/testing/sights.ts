import assert from 'node:assert/strict'
import type { Locator, Page, Request } from 'playwright-core'
import { until } from '../../../server/src/testing/until.ts'
import { COLOUR_RULES, findFaults } from './assert-accessible.ts'
import { comparePicture } from './compare-picture.ts'
import type { OpenOptions, StartedApp } from './start-app.ts'
import { watchDrawing } from './watch-drawing.ts'

/** What is checked of a page or dialog that is open. */
export type Look = (page: Page, name: string, options?: LookOptions) => Promise<void>

export interface LookOptions {
  /** Something opened over a page that is inspected already: only that is inspected. */
  isPopup?: boolean
  /** The picture is compared with the stored one, except for these parts, whose content changes from run to run. */
  picture?: { mask?: Locator[]; dark?: boolean }
}

interface Inspections {
  /** In light colours alone: another walk inspects the same pages in dark ones. */
  onlyLight?: boolean
}

/** Runs a walk in which nobody wants motion, and fails with all faults at its end. */
export async function inspect(
  app: StartedApp,
  options: OpenOptions,
  walk: (page: Page, look: Look) => Promise<void>,
  inspections: Inspections = {},
): Promise<void> {
  const { look, faults } = createLook(inspections)
  const page = await app.open({ at: 'about:blank', ...options })
  await Promise.all([recordMotions(page), watchDrawing(page)])
  await walk(page, look)
  await page.context().close()
  assert.deepEqual(faults, [])
}

type Colours = 'light' | 'dark'

/** The colours of a page that was looked at; others have light ones. */
const coloursOf = new WeakMap<Page, Colours>()

/** Collects the faults of all sights, so that one run finds them all. */
function createLook({ onlyLight = false }: Inspections) {
  const faults: string[] = []
  const look: Look = async (page, name, { picture, isPopup: onlyPopups = false } = {}) => {
    await settle(page)
    const report = (found: readonly string[], where: string) =>
      faults.push(...found.map((fault) => `${name}${where}: ${fault}`))
    // A change of colours renders the whole page, so that each look begins with those of the last one.
    const first: Colours = coloursOf.get(page) ?? 'light'
    const other: Colours = first === 'light' ? 'dark' : 'light'
    for (const colours of onlyLight ? [first] : [first, other]) {
      if (colours !== first) {
        await page.emulateMedia({ colorScheme: colours })
        await settle(page)
      }
      coloursOf.set(page, colours)
      const rules = colours === first ? {} : { onlyRules: COLOUR_RULES }
      report(await findFaults(page, { onlyPopups, ...rules }), ` (${colours})`)
      if (picture && (colours === 'light' || picture.dark))
        await compare(page, colours === 'light' ? name : `${name}-dark`, picture.mask)
    }
    const { isWide, motions } = await page.evaluate(readFrame)
    if (isWide) report(['it is wider than the window'], '')
    report(motions, '')
  }

  async function compare(page: Page, name: string, mask: Locator[] = []): Promise<void> {
    // The overview of a graph has other colours some time after the page.
    await page.waitForFunction(isOverviewPainted)
    const difference = await comparePicture(name, await takeStill(page, [page.locator('time'), ...mask]))
    if (difference) faults.push(difference)
  }
  return { look, faults }
}

/** The requests of a page that are not answered, as of its first look. */
const underWay = new WeakMap<Page, Set<Request>>()

function watchRequests(page: Page): Set<Request> {
  const requests = new Set<Request>()
  page.on('request', (request) => requests.add(request))
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
  underWay.set(page, requests)
  return requests
}

/**
 * Waits until everything is loaded and shown. Playwright's own `networkidle` needs half a second without any request, which
 * a page that looks for news may never have.
 */
async function settle(page: Page): Promise<void> {
  const requests = underWay.get(page) ?? watchRequests(page)
  await page.waitForLoadState()
  await until(`the page ${page.url()} is loaded, and nothing that it asked for is missing`, async () => {
    let isQuiet = requests.size === 0
    const onRequest = () => {
      isQuiet = false
    }
    page.on('request', onRequest)
    const isShown = await page.evaluate(staysShown, QUIET_MS)
    page.off('request', onRequest)
    return isShown && isQuiet
  })
}

/** How long nothing is asked for and nothing is missing, in milliseconds: what is shown may ask for more. */
const QUIET_MS = 100

/** Runs in the page: whether everything is shown, then and after a time. */
async function staysShown(quietMs: number): Promise<boolean> {
  const hasOldMap = () => {
    // The overview map is painted again some time after the colours have changed.
    const { mantineColorScheme } = document.documentElement.dataset
    return document.querySelector(`[data-overview]:not([data-overview="${mantineColorScheme}"])`) !== null
  }
  const isShown = () =>
    document.querySelector('[aria-label^="Loading"]') === null &&
    !hasOldMap() &&
    document.fonts.status === 'loaded' &&
    [...document.images].every(({ complete }) => complete)
  if (!isShown()) return false
  await new Promise((done) => setTimeout(done, quietMs))
  return isShown()
}

/** Runs in the page: whether the overview of a graph, if there is one, has the colours of the page. */
function isOverviewPainted(): boolean {
  const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const painted = document.querySelector<HTMLElement>('canvas[data-scheme]')
  return painted === null || painted.dataset.scheme === scheme
}

/** A screenshot of a page that does not change any more: the same twice in a row. */
async function takeStill(page: Page, mask: Locator[]): Promise<Buffer> {
  // Nothing is hovered.
  await page.mouse.move(0, 0)
  const take = () => page.screenshot({ animations: 'disabled', mask, maskColor: '#888888' })
  let last = await take()
  return until(`the page ${page.url()} does not change any more`, async () => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))))
    const next = await take()
    if (next.equals(last)) return next
    last = next
    return undefined
  })
}

/** Longer than what is told apart from a jump, in milliseconds. */
const SHORTEST_MOTION_MS = 20

/** Records animations and transitions in every page of a context, for a user who wants none. */
async function recordMotions(page: Page): Promise<void> {
  await page.context().addInitScript((shortest) => {
    const motions: string[] = []
    Object.assign(globalThis, { motions })
    for (const name of ['transitionrun', 'animationstart'] as const)
      addEventListener(name, ({ target }) => {
        for (const animation of (target as Element).getAnimations()) {
          const { duration } = animation.effect!.getComputedTiming()
          if (Number(duration) > shortest)
            motions.push(`${(target as Element).className} moves for ${duration} ms: ${name}`)
        }
      })
  }, SHORTEST_MOTION_MS)
}

/** Runs in the page: whether it is wider than the window, and what has moved since the last call. */
function readFrame(): { isWide: boolean; motions: string[] } {
  const { scrollWidth, clientWidth } = document.documentElement
  const { motions = [] } = globalThis as { motions?: string[] }
  return { isWide: scrollWidth > clientWidth, motions: [...new Set(motions.splice(0))] }
}
