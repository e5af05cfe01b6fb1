import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { addNodes } from '@meadow/client/live'
import { readDefinition } from '@meadow/grasshopper'
import type { Browser, Page } from 'playwright-core'
import { createAppApi, toCookies } from '../app-api.ts'
import { startBrowser } from '../browser.ts'
import { fillFolder } from '../fill-folder.ts'
import { startDemo } from '../start-demo.ts'
import { waitForTriangles, watchDrawing } from '../watch-drawing.ts'
import { countFrames, drag, type Frames, scroll, zoom } from './frames.ts'
import { createRows, fillSum, fillTriangles, groupRows } from './graphs.ts'
import { measureLatency, measurePlayerLatency, watchWorkers } from './latency.ts'
import { openAndClose, readMemory, watchContexts } from './memory.ts'
import { describeRun, formatTable, type Row, writePage } from './report.ts'
import { type Place, type Visit, visit } from './visits.ts'

/*
 * How fast the web app is, next to its aims:
 *
 *   npm run measure:web                       everything, some minutes; progress on standard error
 *   npm run measure:web -- --only memory      only measures whose name contains "memory"
 *   npm run measure:web -- --markdown         writes the table into docs/web-performance.md
 *   npm run measure:web -- --samples FOLDER   definitions of which the largest is measured, if there are any
 */

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    markdown: { type: 'boolean', default: false },
    samples: { type: 'string', default: join(import.meta.dirname, '../../../../../../shared/samples') },
  },
})

const ROUNDS = 3
/** A live document takes no larger edits. */
const NODES_AT_ONCE = 1000
const DOCUMENTS_OPENED = 50
const TRIANGLES = 1_000_000
/** Few: in software, each takes a second. */
const ORBIT_MOVES = 12
const SOLVED = ['Twisted tower', 'Truss bridge']
const OF_FRAME_MS = 1000 / 60
const DOCUMENTS_IN_FOLDER = 10_000

const [browser, demo] = await Promise.all([startBrowser({ isSmooth: true }), startDemo({ solved: SOLVED })])
const api = createAppApi(() => demo)
const rows: Row[] = []

const measures: [name: string, run: () => Promise<void>][] = [
  ['first visits', measureVisits],
  ['latency of 100 nodes', () => measureSlider(100, 100)],
  ['latency of 500 nodes', () => measureSlider(500, 300)],
  ['player', measurePlayer],
  ['graph of the largest sample', measureSample],
  ['graph of 1,107 nodes', () => measureGenerated(1107, { count: 475, size: 2 })],
  ['graph of 5,000 nodes', () => measureGenerated(5000, { count: 125, size: 40 })],
  ['scene of 1,000,000 triangles', measureScene],
  ['folder with 10,000 documents', measureFolder],
  ['memory', measureMemory],
]
try {
  for (const [name, run] of measures) {
    if (!name.includes(options.only)) continue
    process.stderr.write(`Measuring: ${name} …\n`)
    try {
      await run()
    } catch (error) {
      // The others are still of use.
      process.stderr.write(`${name} failed: ${error instanceof Error ? error.message : error}\n`)
      process.exitCode = 1
    }
    // After each, so that nothing is lost when it is stopped.
    if (options.markdown) writePage(`${describeRun()}\n\n${formatTable(rows)}`)
  }
} finally {
  await browser.close()
  await demo.stop()
}
process.stdout.write(`${describeRun()}\n\n${formatTable(rows)}\n`)

/** Runs in a window of the owner's, and closes it. */
async function inWindow(work: (page: Page) => Promise<void>): Promise<void> {
  const context = await (browser as Browser).newContext({
    baseURL: demo.address,
    viewport: { width: 1280, height: 800 },
  })
  context.setDefaultTimeout(90_000)
  await context.addCookies(toCookies(await api.owner(), demo.address))
  try {
    await work(await context.newPage())
  } finally {
    await context.close()
  }
}

async function measureVisits(): Promise<void> {
  const person = await api.owner()
  const solved = await api.findDocument(SOLVED[0]!)
  const shared = await api.findDocument(SOLVED[1]!)
  await api.ask(person, `/documents/${shared}`, { method: 'PATCH', body: { visibility: 'public' } })
  const team = person.me.teams[0]!.id
  const node = '.react-flow__node'
  const places: (Place & { scriptAim?: number; byteAim?: number })[] = [
    { name: 'Sign-in', path: '/sign-in', seen: 'form', scriptAim: 300 },
    { name: 'Folder', path: `/teams/${team}`, seen: 'table', person, scriptAim: 300 },
    { name: 'Document', path: `/documents/${solved}`, seen: node, person },
    { name: 'Public document', path: `/documents/${shared}`, seen: node },
    { name: '/docs', path: '/docs', seen: 'h1, h2', byteAim: 300 },
  ]
  for (const { scriptAim, byteAim, ...place } of places) {
    const visits: Visit[] = []
    for (let round = 0; round < ROUNDS; round++) visits.push(await visit(browser, demo.address, place))
    const add = (what: string, unit: string, read: (visit: Visit) => number, aim?: number) =>
      rows.push({ of: place.name, what, unit, values: visits.map(read), ...(aim && { aim }) })
    add('first content', 'ms', ({ firstMs }) => firstMs, 1500)
    add('largest content', 'ms', ({ largestMs }) => largestMs)
    add('bytes of scripts', 'KB', ({ scriptBytes }) => scriptBytes / 1000, scriptAim)
    add('bytes of everything', 'KB', ({ bytes }) => bytes / 1000, byteAim)
    add('requests', '', ({ requests }) => requests)
  }
}

/** The first visit of a guest, and from an input to its picture. */
async function measurePlayer(): Promise<void> {
  const person = await api.owner()
  const tower = await api.findDocument(SOLVED[0]!)
  await api.ask(person, `/documents/${tower}`, { method: 'PATCH', body: { visibility: 'public' } })
  await inWindow((page) => openSolved(page, tower))
  const visits: Visit[] = []
  const place = { name: 'Player', path: `/play/${tower}`, seen: '[data-drawn]' }
  for (let round = 0; round < ROUNDS; round++) visits.push(await visit(browser, demo.address, place))
  const of = `Player of “${SOLVED[0]}”`
  const add = (what: string, unit: string, read: (visit: Visit) => number, aim?: number) =>
    rows.push({ of, what, unit, values: visits.map(read), ...(aim && { aim }) })
  add('first content', 'ms', ({ firstMs }) => firstMs, 1500)
  add('geometry', 'ms', ({ drawnMs }) => drawnMs, 2000)
  add('bytes of everything', 'KB', ({ bytes }) => bytes / 1000, 400)
  add('requests', '', ({ requests }) => requests)
  await measurePlayerInput(of, tower, 'Twist')
  const chain = await api.make('100 nodes to play', (doc) => fillSum(doc, 100))
  await inWindow((page) => openSolved(page, chain))
  await measurePlayerInput('Player of 100 nodes', chain, 'Input')
}

async function measurePlayerInput(of: string, id: string, input: string): Promise<void> {
  await inWindow(async (page) => {
    await watchDrawing(page)
    await watchWorkers(page)
    await page.goto(`/play/${id}`)
    await page.locator('section[aria-label=Geometry]:not([data-stale]) [data-drawn]').waitFor()
    await page.waitForLoadState('networkidle')
    const { solvedMs, drawnMs, frameMs, exactMs } = await measurePlayerLatency(page, input)
    const unit = 'ms'
    rows.push({ of, what: 'input to answer of the worker', unit, values: solvedMs })
    rows.push({ of, what: 'input to geometry', unit, values: drawnMs, aim: 150 })
    rows.push({ of, what: 'input to the frame after it', unit, values: frameMs })
    rows.push({ of, what: 'input to exact geometry', unit, values: exactMs })
  })
}

async function measureSlider(nodes: number, aim: number): Promise<void> {
  const name = `${nodes} nodes`
  const id = await api.make(name, (doc) => fillSum(doc, nodes))
  await inWindow(async (page) => {
    await watchDrawing(page)
    await openSolved(page, id)
    // Slider and panel, side by side and large enough to be elements of the page.
    await page.keyboard.press('Control+f')
    await page.getByRole('combobox', { name: 'Search in the graph' }).fill('Output')
    await page.keyboard.press('Enter')
    const { valueMs, geometryMs } = await measureLatency(page)
    rows.push({ of: name, what: 'slider to value', unit: 'ms', values: valueMs, aim })
    rows.push({ of: name, what: 'slider to geometry', unit: 'ms', values: geometryMs, aim })
  })
}

async function openSolved(page: Page, id: string): Promise<void> {
  await page.goto(`/documents/${id}`)
  await page.locator('.react-flow__pane').waitFor()
  await page
    .getByTitle('What is solved, and what is missing')
    .getByText(/^(Solved|Partial|\d+ failed)/)
    .waitFor()
  await page.waitForLoadState('networkidle')
}

/** The definition of most nodes in the folder of samples, without its name, which is not ours to publish. */
async function measureSample(): Promise<void> {
  const folder = resolve(options.samples)
  if (!existsSync(folder)) return
  const found = globSync('**/*.{gh,ghx}', { cwd: folder }).map((path) => {
    const bytes = readFileSync(join(folder, path))
    return { path, bytes, size: Object.keys(readDefinition(bytes).content.nodes).length }
  })
  const [largest] = found.toSorted((a, b) => b.size - a.size)
  if (!largest) return
  const id = await api.upload(basename(largest.path), Uint8Array.from(largest.bytes))
  await measureGraph(`Largest sample, ${largest.size.toLocaleString('en')} nodes`, id)
}

async function measureGenerated(nodes: number, groups: { count: number; size: number }): Promise<void> {
  const name = `${nodes.toLocaleString('en')} nodes, ${groups.count} groups`
  const id = await api.make(name)
  const rows = createRows(nodes)
  for (let from = 0; from < nodes; from += NODES_AT_ONCE)
    await api.edit(id, (doc) => addNodes(doc, rows.slice(from, from + NODES_AT_ONCE)))
  await api.edit(id, (doc) => groupRows(doc, rows, groups))
  await measureGraph(name, id)
}

async function measureGraph(name: string, id: string): Promise<void> {
  const [opened, panned, zoomed]: [number[], Frames[], Frames[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++)
    await inWindow(async (page) => {
      const from = performance.now()
      await page.goto(`/documents/${id}`, { waitUntil: 'commit' })
      await page.locator('[data-wires]:not([data-wires="0"])').waitFor({ state: 'attached' })
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
      opened.push(performance.now() - from)
      await page.waitForLoadState('networkidle')
      await page.getByRole('button', { name: 'Fit the graph' }).click()
      await countFrames(page, () => page.waitForTimeout(500))
      const middle = await middleOf(page, '.react-flow__pane')
      panned.push(await drag(page, middle, 'middle'))
      zoomed.push(await zoom(page, middle))
    })
  rows.push({ of: name, what: 'opened and usable', unit: 'ms', values: opened })
  addFrames(name, 'panned', panned, { perSecond: 60 })
  addFrames(name, 'zoomed', zoomed, { longestMs: 100 })
}

async function measureScene(): Promise<void> {
  const name = '1,000,000 triangles'
  const id = await api.make(name, (doc) => fillTriangles(doc, TRIANGLES))
  await inWindow(async (page) => {
    await watchDrawing(page)
    await openSolved(page, id)
    await page.getByText('3D', { exact: true }).click()
    await page.getByRole('button', { name: 'Fit the view' }).click()
    // A part of it would be measured otherwise: it arrives late, and a frame may be of what is visible only.
    await waitForTriangles(page, 0.9 * TRIANGLES)
    const middle = await middleOf(page, 'canvas')
    const orbits = [await drag(page, middle, 'left', ORBIT_MOVES)]
    addFrames(name, 'orbited', orbits, { perSecond: 30 })
  })
}

async function measureFolder(): Promise<void> {
  const of = `${DOCUMENTS_IN_FOLDER.toLocaleString('en')} documents in a folder`
  const team = (await api.owner()).me.teams[0]!.id
  const id = await fillFolder(demo.dataDir, team, 'Many', DOCUMENTS_IN_FOLDER)
  const [opened, lines, cards]: [number[], Frames[], Frames[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++)
    await inWindow(async (page) => {
      const from = performance.now()
      await page.goto(`/teams/${team}/folders/${id}`, { waitUntil: 'commit' })
      await page.locator('[data-index="0"]').waitFor()
      opened.push(performance.now() - from)
      await page.waitForLoadState('networkidle')
      lines.push(await scroll(page))
      await page.evaluate(() => scrollTo(0, 0))
      await page.getByLabel('Cards').last().click()
      await page.getByRole('list', { name: 'Contents' }).waitFor()
      cards.push(await scroll(page))
    })
  rows.push({ of, what: 'opened and usable', unit: 'ms', values: opened })
  addFrames(of, 'lines scrolled', lines, { perSecond: 60 })
  addFrames(of, 'cards scrolled', cards, { perSecond: 60 })
}

async function middleOf(page: Page, selector: string): Promise<{ x: number; y: number }> {
  const box = (await page.locator(selector).last().boundingBox())!
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

function addFrames(
  of: string,
  doing: string,
  frames: readonly Frames[],
  aims: { perSecond?: number; longestMs?: number },
): void {
  const add = (what: string, unit: string, read: (frames: Frames) => number, aim: Partial<Row> = {}) =>
    rows.push({ of, what: `${doing}: ${what}`, unit, values: frames.map(read), ...aim })
  const { perSecond, longestMs } = aims
  add('frames', 'per s', (all) => all.perSecond, perSecond ? { aim: perSecond, isFloor: true } : {})
  add('longest frame', 'ms', (all) => all.longestMs, longestMs ? { aim: longestMs } : {})
  add('longest task', 'ms', (all) => all.longestTaskMs)
  // Without the drawing, which a graphics card would do.
  add("of the page's thread for each frame", 'ms', (all) => all.threadMs, {
    aim: perSecond ? Math.floor(1000 / perSecond) : Math.floor(OF_FRAME_MS),
  })
}

async function measureMemory(): Promise<void> {
  const person = await api.owner()
  const folder = person.me.teams[0]!.rootFolderId
  for (const name of SOLVED) {
    const id = await api.findDocument(name)
    await api.ask(person, `/documents/${id}`, { method: 'PATCH', body: { folderId: folder } })
  }
  await inWindow(async (page) => {
    await watchContexts(page)
    await page.goto('/')
    const devTools = await page.context().newCDPSession(page)
    const names = Array.from({ length: DOCUMENTS_OPENED }, (_, index) => SOLVED[index % SOLVED.length]!)
    // The first ones load code and fill caches.
    await openAndClose(page, names.slice(0, 10))
    const before = await readMemory(page, devTools)
    await openAndClose(page, names)
    const after = await readMemory(page, devTools)
    const of = `${DOCUMENTS_OPENED} documents opened and closed`
    rows.push({ of, what: 'heap of JavaScript', unit: 'MB', values: [after.heapMb] })
    rows.push({
      of,
      what: 'heap of JavaScript, more than before',
      unit: 'MB',
      values: [after.heapMb - before.heapMb],
      aim: 2,
    })
    rows.push({
      of,
      what: 'elements, more than before',
      unit: '',
      values: [after.elements - before.elements],
      aim: 100,
    })
    rows.push({
      of,
      what: 'listeners, more than before',
      unit: '',
      values: [after.listeners - before.listeners],
      aim: 10,
    })
    rows.push({ of, what: 'WebGL contexts', unit: '', values: [after.webGl], aim: 1 })
  })
}
