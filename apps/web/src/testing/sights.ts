import type { Locator, Page, Request } from 'playwright-core'
import { until } from '../../../server/src/testing/until.ts'
import { COLOUR_RULES, findFaults } from './assert-accessible.ts'
import { comparePicture } from './compare-picture.ts'

/** What is checked of a page or dialog that is open. */
export type Look = (page: Page, name: string, options?: LookOptions) => Promise<void>

export interface LookOptions {
  /** Something opened over a page that is inspected already: only that is inspected. */
  isPopup?: boolean
  /** The picture is compared with the stored one, except for these parts, whose content changes from run to run. */
  picture?: { mask?: Locator[]; dark?: boolean }
}

export interface Inspections {
  /** Pages alone, in light colours: dialogs over them, and dark colours, are inspected in another walk. */
  onlyPages?: boolean
}

/** Collects the faults of all sights, so that one run finds them all. */
export function createLook({ onlyPages = false }: Inspections = {}) {
  const faults: string[] = []
  const look: Look = async (page, name, { picture, isPopup: onlyPopups = false } = {}) => {
    await settle(page)
    const report = (found: readonly string[], where: string) =>
      faults.push(...found.map((fault) => `${name}${where}: ${fault}`))
    if (!onlyPages || !onlyPopups) report(await findFaults(page, { onlyPopups }), '')
    if (picture) await compare(page, name, picture.mask)
    const isWide = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return scrollWidth > clientWidth
    })
    if (isWide) report(['it is wider than the window'], '')
    if (!onlyPages) {
      await page.emulateMedia({ colorScheme: 'dark' })
      report(await findFaults(page, { onlyPopups, onlyRules: COLOUR_RULES }), ' (dark)')
      if (picture?.dark) await compare(page, `${name}-dark`, picture.mask)
      await page.emulateMedia({ colorScheme: 'light' })
    }
    report(await page.evaluate(readMotions), '')
  }

  async function compare(page: Page, name: string, mask: Locator[] = []): Promise<void> {
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
  let quiet = 0
  await until(`the page ${page.url()} is loaded, and nothing that it asked for is missing`, async () => {
    const isShown = await page.evaluate(
      () =>
        document.querySelector('[aria-label^="Loading"]') === null &&
        document.fonts.status === 'loaded' &&
        [...document.images].every(({ complete }) => complete),
    )
    quiet = isShown && requests.size === 0 ? quiet + 1 : 0
    return quiet >= QUIET_LOOKS
  })
}

/** So many looks in a row: what is shown may ask for more. */
const QUIET_LOOKS = 5

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
export async function recordMotions(page: Page): Promise<void> {
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

/** Runs in the page: what has moved since the last call. */
function readMotions(): string[] {
  const { motions = [] } = globalThis as { motions?: string[] }
  return [...new Set(motions.splice(0))]
}
