import { parseArgs } from 'node:util'
import { createRandom } from '../../../../server/src/testing/random.ts'
import { createAppApi, toCookies } from '../app-api.ts'
import { startBrowser } from '../browser.ts'
import { PHONE } from '../start-app.ts'
import { startDemo } from '../start-demo.ts'
import { Truth } from './properties.ts'
import { Walker } from './walker.ts'

/*
 * Explores the web app at random, and says what is wrong: errors in the console, buttons that do nothing, lists that
 * differ from the API, undos that do not lead back, elements that Tab does not leave. Ends with 1 when there are faults.
 *
 *   npm run explore                      ten minutes
 *   npm run explore -- --minutes 60
 *   npm run explore -- --seed 7          other choices; the same seed makes the same choices on the same pages
 *   npm run explore -- --phone           in the window of a phone
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    phone: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const random = createRandom(seed)
/** How many steps are made before something is compared. */
const STEPS = 25

const [browser, demo] = await Promise.all([startBrowser(), startDemo({ solved: ['Twisted tower'] })])
const api = createAppApi(() => demo)
const owner = await api.owner()
const { id: team, rootFolderId: root } = owner.me.teams[0]!
const context = await browser.newContext({
  baseURL: demo.address,
  ...(values.phone ? PHONE : { viewport: { width: 1280, height: 800 } }),
  reducedMotion: 'reduce',
})
await context.addCookies(toCookies(owner, demo.address))
const page = await context.newPage()
page.setDefaultTimeout(20_000)
await Walker.prepare(page)
const walker = new Walker(page, random)
const truth = new Truth(walker, demo, api)

const names = ['Twisted tower', 'Truss bridge', 'Branching column']
const starts = ['/', `/teams/${team}/settings`, '/account', `/teams/${team}/bin`, `/teams/${team}/uses`]
const checks: (() => Promise<void>)[] = [
  async () => {
    await walker.goto(`/teams/${team}/folders/${root}`)
    await truth.checkFolder(root)
  },
  () => walker.checkKeyboard(),
  async () => truth.checkUndo(await api.make(`Explored ${random.whole(0, 999)}`), random),
  async () => walker.goto(random.pick(starts)),
  // The walker may have deleted it.
  async () => walker.goto(`/documents/${await api.findDocument(random.pick(names)).catch(() => 'gone')}`),
]

/** Whether there is no page any more to go on with. */
let isGone = false
const stop = () => {
  isGone = true
}
page.on('crash', stop).on('close', stop)

const end = Date.now() + Number(values.minutes) * 60_000
try {
  await walker.goto('/')
  while (Date.now() < end && !isGone) {
    try {
      await random.pick(checks)()
      for (let step = 0; step < STEPS && Date.now() < end; step++) await walker.step()
    } catch (error) {
      walker.report(`The walk stopped: ${(error as Error).message.slice(0, 400)}`)
      if (!isGone) await walker.goto('/')
    }
    process.stderr.write(`${walker.reached.steps} steps, ${walker.faults.length} faults\n`)
  }
} finally {
  await browser.close()
  await demo.stop()
  const { controls, steps } = walker.reached
  process.stdout.write(
    `Seed ${seed}: ${steps} steps, ${controls} kinds of controls, ${walker.faults.length} faults.\n`,
  )
  for (const fault of walker.faults) process.stdout.write(`\n- ${fault}\n`)
}
process.exit(walker.faults.length > 0 ? 1 : 0)
