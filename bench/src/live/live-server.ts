import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLive, setSlider } from '@meadow/client/live'
import { API_PREFIX, type GraphContent } from '@meadow/contract'
import * as Y from 'yjs'
import { openFolder } from '../harness/command.ts'
import { type MeadowServer, startMeadow } from '../harness/meadow.ts'
import { readProcessFigures } from '../harness/process-figures.ts'
import { addressOf, sendRequest } from '../harness/request.ts'
import { type Spread, spread, timeAsync } from '../harness/statistics.ts'
import { buildEditedTeam, type EditedTeam } from './edited-team.ts'
import { openRawEditor } from './raw-editor.ts'

/** The cost of live editing over real sockets, with a server in a separate process. Times are in milliseconds. */
export interface LiveServerFigures {
  /** The time from an edit to an API response that contains it. */
  visible: Spread
  editors: {
    count: number
    editsEachSecond: number
    edits: number
    lost: number
    /** The time from an edit to its acknowledgement. */
    acknowledged: Spread
    /** The time from an edit until another editor has it. */
    seen: Spread
  }
  /** The times to read a document of 2,000 nodes: unchanged, and after an edit. */
  reading: { idle: Spread; underEdit: Spread }
  /** The resident memory of the server per open document. */
  memory: { documents: number; nodes: number; bytesEach: number }
}

const VISIBLE_EDITS = 300
const EDITORS = 50
const EDITS_EACH_SECOND = 10
const EDITING_MS = 10_000
const READS = 100
const OPEN = 1000
const OPEN_NODES = 100

const openDocument = (server: MeadowServer, team: EditedTeam, name: string) =>
  openLive({ address: addressOf(server), cookie: team.cookie, documentId: team.documents[name]!.id })

async function read(server: MeadowServer, team: EditedTeam, name: string): Promise<Buffer> {
  const path = `${API_PREFIX}/documents/${team.documents[name]!.id}`
  const headers = { authorization: `Bearer ${team.token}` }
  const { status, body } = await sendRequest(server, { path, headers })
  if (status !== 200) throw new Error(`${path} answered ${status}.`)
  return body
}

async function measureVisible(server: MeadowServer, team: EditedTeam): Promise<Spread> {
  const live = await openDocument(server, team, 'small')
  const [slider] = team.documents.small!.sliders
  const times: number[] = []
  for (let count = 0; count < VISIBLE_EDITS; count++) {
    const value = editValue(count)
    const startedAt = performance.now()
    live.edit((doc) => setSlider(doc, slider!, value))
    await live.durable()
    const body = await read(server, team, 'small')
    times.push(performance.now() - startedAt)
    if (sliderOf(JSON.parse(String(body)).document, slider!) !== value)
      throw new Error('An acknowledged edit is missing.')
  }
  live.close()
  return spread(times)
}

async function measureEditors(server: MeadowServer, team: EditedTeam): Promise<LiveServerFigures['editors']> {
  const { id, sliders } = team.documents.shared!
  const observer = await openDocument(server, team, 'shared')
  const state = Y.encodeStateAsUpdate(observer.doc)
  const editors = await Promise.all(
    sliders.map((slider) => openRawEditor(addressOf(server), team.cookie, id, slider, state)),
  )
  const madeAt = new Map<string, number>()
  const seen: number[] = []
  observer.on('change', () => {
    const now = performance.now()
    const { nodes } = observer.read()
    for (const [key, at] of madeAt) {
      const [slider, value] = key.split(' ')
      // A later edit may have replaced this one before the observer was notified.
      if (!(sliderOf({ nodes }, slider!) >= Number(value))) continue
      seen.push(now - at)
      madeAt.delete(key)
    }
  })
  const acknowledged: number[] = []
  const stopAt = performance.now() + EDITING_MS
  await Promise.all(
    editors.map(async (editor, at) => {
      await sleep((at * 1000) / EDITORS / EDITS_EACH_SECOND)
      const pending: Promise<void>[] = []
      for (let count = 1; performance.now() < stopAt; count++) {
        const startedAt = performance.now()
        madeAt.set(`${sliders[at]} ${editValue(count)}`, startedAt)
        pending.push(
          editor.edit(editValue(count)).then(() => {
            acknowledged.push(performance.now() - startedAt)
          }),
        )
        await sleep(Math.max(0, 1000 / EDITS_EACH_SECOND - (performance.now() - startedAt)))
      }
      await Promise.all(pending)
    }),
  )
  await sleep(500)
  const lost = madeAt.size
  for (const editor of editors) editor.close()
  observer.close()
  return {
    count: EDITORS,
    editsEachSecond: EDITS_EACH_SECOND,
    edits: acknowledged.length,
    lost,
    acknowledged: spread(acknowledged),
    seen: spread(seen),
  }
}

async function measureReading(server: MeadowServer, team: EditedTeam): Promise<LiveServerFigures['reading']> {
  const live = await openDocument(server, team, 'large')
  const [slider] = team.documents.large!.sliders
  const time = async () => (await timeAsync(() => read(server, team, 'large'))).ms
  const [idle, underEdit]: [number[], number[]] = [[], []]
  for (let count = 0; count < READS; count++) {
    live.edit((doc) => setSlider(doc, slider!, editValue(count)))
    await live.durable()
    underEdit.push(await time())
    idle.push(await time())
  }
  live.close()
  return { idle: spread(idle), underEdit: spread(underEdit) }
}

async function measureMemory(server: MeadowServer, team: EditedTeam): Promise<LiveServerFigures['memory']> {
  const resident = () => readProcessFigures(server.pid).residentBytes ?? Number.NaN
  const names = Object.keys(team.documents).filter((name) => name.startsWith('open'))
  const before = resident()
  const opened = []
  for (const [at, name] of names.entries()) {
    const cookie = team.cookies[at % team.cookies.length]!
    const nothing = new Uint8Array([0, 0])
    opened.push(await openRawEditor(addressOf(server), cookie, team.documents[name]!.id, '', nothing))
  }
  await sleep(2000)
  const bytesEach = (resident() - before) / names.length
  for (const editor of opened) editor.close()
  return { documents: names.length, nodes: OPEN_NODES, bytesEach }
}

/** Returns the value of an edit, which is between 0 and 1 and increases with the count. */
const editValue = (count: number): number => (count + 1) / 1000

function sliderOf({ nodes }: Pick<GraphContent, 'nodes'>, slider: string): number {
  const [tree] = Object.values(nodes[slider]?.values ?? {})
  return Number(tree?.branches[0]?.values[0]?.value)
}

await using folder = await openFolder('live')
const dataDir = join(folder.path, 'data')
const open = Array.from(
  { length: OPEN },
  (_, at) => [`open ${at}`, { nodes: OPEN_NODES, sliders: 1 }] as const,
)
const team = await buildEditedTeam(
  { dataDir },
  {
    small: { nodes: 100, sliders: 1 },
    shared: { nodes: 1000, sliders: EDITORS },
    large: { nodes: 2000, sliders: 1 },
    ...Object.fromEntries(open),
  },
)
await using server = await startMeadow({ dataDir, logFile: join(folder.path, 'log') })
const figures: LiveServerFigures = {
  visible: await measureVisible(server, team),
  editors: await measureEditors(server, team),
  reading: await measureReading(server, team),
  memory: await measureMemory(server, team),
}
process.stdout.write(JSON.stringify(figures))
