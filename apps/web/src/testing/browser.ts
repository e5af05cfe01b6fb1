import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

/** Names a browser of the system, a Chromium, to be used in place of the one that npm brings. */
// biome-ignore lint/style/noProcessEnv: tests have no other configuration.
const OWN_BROWSER = process.env.MEADOW_TEST_BROWSER

const PACKAGE = fileURLToPath(new URL('..', import.meta.resolve('@sparticuz/chromium')))

/** The packaged browser's own arguments crash outside the service that it was made for; these were tried. */
const ARGUMENTS = [
  '--headless=shell',
  '--no-sandbox',
  '--no-zygote',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
  // Only WebGL is rendered in software: rendering whole pages that way takes three times as long.
  '--disable-gpu-compositing',
  '--disable-dev-shm-usage',
]

/** Why no browser can be started here, or false. */
export const noBrowser =
  OWN_BROWSER === undefined &&
  (process.platform !== 'linux' || process.arch !== 'x64') &&
  'npm brings a Chromium for Linux on x64 only: set MEADOW_TEST_BROWSER to one of your own'

/** The packaged browser dies in the first moments of some launches, once in tens to hundreds: it is started so often. */
const MAX_STARTS = 3

interface BrowserOptions {
  /** Whether edges in WebGL are smooth, which a third of its drawing in software goes into. */
  isSmooth?: boolean
}

/** A headless Chromium with WebGL in software, which has shown a page. Close it. */
export async function startBrowser({ isSmooth = false }: BrowserOptions = {}): Promise<Browser> {
  const args = isSmooth ? ARGUMENTS : [...ARGUMENTS, '--webgl-antialiasing-mode=none']
  for (let left = MAX_STARTS - 1; ; left--) {
    let browser: Browser | undefined
    try {
      browser = await launch(args)
      const context = await browser.newContext()
      await context.newPage()
      await context.close()
      return browser
    } catch (error) {
      await browser?.close()
      if (left === 0) throw error
    }
  }
}

async function launch(args: string[]): Promise<Browser> {
  if (OWN_BROWSER) return chromium.launch({ executablePath: OWN_BROWSER, args })
  const folder = await unpack()
  return chromium.launch({
    executablePath: join(folder, 'start'),
    args,
    env: {
      // biome-ignore lint/style/noProcessEnv: the browser inherits the environment.
      ...process.env,
      HOME: folder,
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
    },
  })
}

/**
 * Starts the browser without the right to raise its own priority, which root has: it would leave hardly any processor time
 * to the solves that its pages wait for. For other users it has no such right anyway.
 */
const START = `#!/bin/sh
browser="$(dirname "$0")/chromium"
if setpriv --bounding-set=-sys_nice true 2>/dev/null; then
  exec setpriv --bounding-set=-sys_nice "$browser" "$@"
fi
exec "$browser" "$@"
`

/** Unpacks once a version, whole: two that start at once would break each other's files. */
async function unpack(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
  const folder = join(tmpdir(), `meadow-browser-${version}`)
  if (existsSync(folder)) return folder
  const unfinished = await mkdtemp(`${folder}-`)
  await promisify(execFile)(
    process.execPath,
    [
      join(dirname(fileURLToPath(import.meta.url)), 'unpack-chromium.ts'),
      join(PACKAGE, 'bin', 'al2023.tar.br'),
    ],
    // biome-ignore lint/style/noProcessEnv: the process inherits the environment.
    { env: { ...process.env, TMPDIR: unfinished } },
  )
  // The package's own list of folders is that of the service which it was made for.
  const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>`
  await writeFile(join(unfinished, 'fonts.conf'), fonts)
  await writeFile(join(unfinished, 'start'), START, { mode: 0o755 })
  try {
    await rename(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    await rm(unfinished, { recursive: true })
  }
  return folder
}
