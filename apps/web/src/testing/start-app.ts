import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type AppApi, createAppApi, type Person, toCookies } from './app-api.ts'
import { getBrowser } from './shared-browser.ts'
import type { Demo } from './start-demo.ts'

/** Pictures of the windows of failed tests. */
const SCREENSHOTS = fileURLToPath(new URL('../../screenshots', import.meta.url))

/** Only failing tests wait for so long, and say what did not come: a test may take five times as long. */
const PATIENCE_MS = 60_000

/** Error responses, which the page shows. */
const EXPECTED_ERROR = /^Failed to load resource/
/** What three.js writes where there is no WebGL. */
const NO_WEBGL = /^THREE\.WebGLRenderer: .*Error creating WebGL context/

/** The size of a small phone's window. */
export const PHONE = { viewport: { width: 360, height: 740 } }

/** Of a device without a mouse. */
export const TOUCH = { hasTouch: true, isMobile: true }

export const TOUCH_PHONE = { ...PHONE, ...TOUCH }

export interface StartedApp extends AppApi {
  readonly demo: Demo
  /**
   * A new window, by default of the root folder and signed in as the demo's owner. All share one session, which tests
   * must not end. Errors in the window fail the test.
   */
  open(options?: OpenOptions): Promise<Page>
  /** Fails when something in a page went wrong since the last call. */
  checkTroubles(): void
}

export interface OpenOptions extends BrowserContextOptions {
  /** Shares the browser context, with its caches, between all such windows: close the page, not its context. */
  isShared?: boolean
  /** Nobody is signed in, and nothing is opened yet. */
  isSignedOut?: boolean
  /** Who is signed in; by default the owner. */
  person?: Person
  /** The path of the page that is opened. */
  at?: string
  /** Whether geometry is drawn; by default as in the other windows of the file. */
  drawsGeometry?: boolean
}

export interface AppOptions {
  /**
   * Whether the windows draw geometry, as by default. A browser without a graphics card spends more on it than on the
   * rest of a document's page. Otherwise it has no WebGL, and the page says so where the geometry would be.
   */
  drawsGeometry?: boolean
}

/** A server with the demo team for all tests of a file, in the browser of the process. */
export function useApp(start: () => Promise<Demo>, defaults: AppOptions = {}): StartedApp {
  let browser: Browser | undefined
  let demo: Demo
  const api = createAppApi(() => demo)
  let shared: BrowserContext | undefined
  const opened: BrowserContext[] = []
  const troubles: string[] = []
  const noteCrash = () => troubles.push('The browser crashed in the middle of a test.')

  /** A browser that crashes fails the test in which it does; the next one has another browser. */
  async function findBrowser(): Promise<Browser> {
    const current = await getBrowser()
    if (browser !== current) {
      browser = current.on('disconnected', noteCrash)
      shared = undefined
    }
    return current
  }

  before(async () => {
    ;[demo] = await Promise.all([start(), findBrowser()])
  })
  let openedBefore = 0
  beforeEach(() => {
    openedBefore = opened.length
  })
  // What a failed test left open would be seen by the next ones: as a person in the same document.
  afterEach(async (context) => {
    // The types of Node.js do not know it yet.
    const { passed } = context as unknown as { passed: boolean }
    if (passed) return
    await takeScreenshots(opened.slice(openedBefore), context.name)
    for (const context of opened.splice(openedBefore)) {
      if (context === shared) shared = undefined
      await context.close()
    }
  })
  after(async () => {
    browser?.off('disconnected', noteCrash)
    for (const context of opened) await context.close()
    await demo?.stop()
  })
  return {
    ...api,
    get demo() {
      return demo
    },
    async open({ isSignedOut = false, isShared = false, person, at = '/', drawsGeometry, ...options } = {}) {
      const current = await findBrowser()
      const create = () =>
        current.newContext({
          baseURL: demo.address,
          viewport: { width: 1280, height: 800 },
          reducedMotion: 'reduce',
          ...options,
        })
      const context = (isShared && shared) || (await create())
      if (isShared) shared = context
      opened.push(context)
      context.setDefaultTimeout(PATIENCE_MS)
      const draws = drawsGeometry ?? defaults.drawsGeometry ?? true
      if (!draws) await context.addInitScript(removeWebGl)
      const page = await context.newPage()
      page.on('crash', () => troubles.push(`The page crashed: ${page.url()}`))
      page.on('pageerror', ({ message }) => troubles.push(message))
      page.on('console', (message) => {
        const isExpected = (text: string) => EXPECTED_ERROR.test(text) || (!draws && NO_WEBGL.test(text))
        if (message.type() === 'error' && !isExpected(message.text())) troubles.push(message.text())
      })
      page.on('request', (request) => {
        const url = new URL(request.url())
        if (url.protocol.startsWith('http') && url.origin !== new URL(demo.address).origin)
          troubles.push(`It asked ${url.origin}.`)
      })
      if (isSignedOut) return page
      await context.addCookies(toCookies(person ?? (await api.owner()), demo.address))
      await page.goto(at)
      return page
    },
    checkTroubles() {
      const found = troubles.splice(0)
      if (found.length > 0) throw new Error(`In the page: ${found.join('\n')}`)
    },
  }
}

/** Saves a picture of each window, named by the first words of the test. */
async function takeScreenshots(contexts: readonly BrowserContext[], test: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true })
  const name = test.replaceAll(/[^\w-]+/g, '-').slice(0, 60)
  for (const [index, page] of contexts.flatMap((context) => context.pages()).entries())
    await page.screenshot({ path: join(SCREENSHOTS, `${name}-${index + 1}.png`) })
}

/** Runs in the page, which has no WebGL from then on. */
function removeWebGl(): void {
  const { getContext } = HTMLCanvasElement.prototype
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...given: [string]) {
    return given[0].startsWith('webgl') ? null : Reflect.apply(getContext, this, given)
  } as typeof getContext
}

/** As people do it. */
export async function signIn(
  page: Page,
  { email, password }: Pick<Demo, 'email' | 'password'>,
): Promise<void> {
  if (!page.url().includes('/sign-in')) await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Your account' }).waitFor()
}
