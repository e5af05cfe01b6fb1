import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createHistoryWork } from '../apps/server/src/content/history/history-work.ts'
import { keepVersions } from '../apps/server/src/content/history/keep-versions.ts'
import { encodeLiveJson } from '../apps/server/src/content/stored-json.ts'
import { createRandom } from '../apps/server/src/testing/random.ts'
import { openFolder } from '../bench/src/harness/command.ts'
import { percentile } from '../bench/src/harness/statistics.ts'
import { createTeam, openStores } from '../bench/src/harness/teams.ts'
import {
  addNodes,
  createLiveDocument,
  createNode,
  moveNodesBy,
  openLiveProjector,
  putLargeValues,
  removeNodes,
  renameNode,
  setEnabled,
} from '../packages/document/src/live/index.ts'
import { readDefinition } from '../packages/grasshopper/src/index.ts'

/*
 * What versions of real definitions take: each definition is edited, and kept as a version after every five edits, in the
 * tables of a real database. A version is its difference, a share of it the bases of its document too. The edits are the
 * same in every run.
 *
 *   npm run measure:versions                 the samples beside the project
 *   npm run measure:versions -- FOLDER       the definitions in a folder
 *   npm run measure:versions -- --versions 100 --least 20
 */

const EDITS = 5
const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The number of versions of each definition. */
    versions: { type: 'string', default: '40' },
    /** The minimum number of nodes: in smaller definitions, most of a difference is its header. */
    least: { type: 'string', default: '50' },
  },
})
const folder = resolve(positionals[0] ?? join(import.meta.dirname, '../../shared/samples'))
if (!existsSync(folder)) throw new Error(`There is no folder ${folder}: name one with definitions.`)

await measure()

interface Kept {
  /** The size of a version, and that of the document's JSON at that time. */
  bytes: number
  jsonBytes: number
}

async function measure(): Promise<void> {
  await using temporary = await openFolder('measure-versions')
  await using stores = await openStores({ dataDir: join(temporary.path, 'data') })
  const { database, blobs } = stores
  const team = await createTeam(stores, 'Measured')
  const kept: Kept[] = []
  let [baseBytes, bases, definitions] = [0, 0, 0]
  for (const file of globSync('**/*.{gh,ghx}', { cwd: folder }).sort()) {
    const read = readContent(join(folder, file))
    if (!read || Object.keys(read.nodes).length < Number(values.least)) continue
    const content = await putLargeValues(read, async (text) => (await blobs.put(Buffer.from(text))).digest)
    const { key } = await team.addDocument(file, content)
    definitions++
    const doc = createLiveDocument(content)
    const projector = openLiveProjector(doc)
    const random = createRandom(definitions).fraction
    for (let seq = 2; seq <= Number(values.versions) + 1; seq++) {
      for (let count = 0; count < EDITS; count++) edit(doc, random)
      const json = encodeLiveJson(projector.readJson())
      await database.transaction(async (write) => {
        await write
          .updateTable('document_snapshot')
          .set({ content: json, blob: null, seq })
          .where('document_id', '=', key)
          .execute()
        await write.updateTable('document').set({ seq }).where('id', '=', key).execute()
      })
      const { key: version } = (await keepVersions(
        { database, blobs, history: createHistoryWork(blobs) },
        key,
        'manual',
      ))!
      const stored = await database.read
        .selectFrom('document_version')
        .where('id', '=', version)
        .select(['delta', 'bytes'])
        .executeTakeFirstOrThrow()
      // A version that is a base is counted with the bases.
      if (stored.delta !== null) kept.push({ bytes: stored.bytes, jsonBytes: json.length })
    }
    projector.close()
    doc.destroy()
    const stored = await database.read
      .selectFrom('version_base')
      .where('document_id', '=', key)
      .select('bytes')
      .execute()
    bases += stored.length
    baseBytes += stored.reduce((sum, { bytes }) => sum + bytes, 0)
  }
  report(kept, { definitions, bases, baseBytes })
}

function readContent(path: string) {
  try {
    return readDefinition(readFileSync(path)).content
  } catch {
    return undefined
  }
}

/** Makes one edit as people do: mostly moves, then changes, new nodes, and now and then a removal. */
function edit(doc: ReturnType<typeof createLiveDocument>, random: () => number): void {
  const ids = [...doc.getMap('nodes').keys()]
  const id = ids[Math.floor(random() * ids.length)]!
  const kind = random()
  if (kind < 0.4) moveNodesBy(doc, [id], { x: Math.round(random() * 200), y: Math.round(random() * 200) })
  else if (kind < 0.6) renameNode(doc, id, `Name ${Math.floor(random() * 1000)}`)
  else if (kind < 0.7) setEnabled(doc, [id], random() < 0.5)
  else if (kind < 0.95) addNodes(doc, [createNode(PANEL, { position: { x: random() * 1000, y: 0 } })])
  else removeNodes(doc, [id])
}

function report(
  kept: readonly Kept[],
  { definitions, bases, baseBytes }: { definitions: number; bases: number; baseBytes: number },
): void {
  const sum = (of: (one: Kept) => number) => kept.reduce((total, one) => total + of(one), 0)
  const shares = kept.map(({ bytes, jsonBytes }) => bytes / jsonBytes)
  const bytes = kept.map(({ bytes }) => bytes)
  const withBases = (sum(({ bytes }) => bytes) + baseBytes) / sum(({ jsonBytes }) => jsonBytes)
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  process.stdout.write(
    [
      `${definitions} definitions, ${kept.length} versions as differences, ${bases} bases`,
      `a version: median ${percentile(bytes, 0.5)} bytes, p90 ${percentile(bytes, 0.9)} bytes`,
      `of the JSON: median ${percent(percentile(shares, 0.5))}, p90 ${percent(percentile(shares, 0.9))}, mean with bases ${percent(withBases)}`,
      '',
    ].join('\n'),
  )
}
