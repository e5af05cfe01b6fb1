import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { DocumentId, GraphContent } from '@meadow/contract'
import { readArchive, readDefinition, writeInflatedArchive } from '@meadow/grasshopper'
import {
  createPlatformId,
  decodeGeometry,
  type ModelObject,
  openModelLibrary,
  walkModel,
} from '@meadow/model'
import { solve } from '@meadow/solver'
import { DATABASES } from '../../testing/databases.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { readDemoDefinition } from '../demo/demo-definitions.ts'
import { createDemoTree, listDemoDocuments } from '../demo/demo-tree.ts'
import { listModelValues } from '../solves/solution-files.ts'
import { follow, sha256, startExports } from './testing/start-exports.ts'

const [SQLITE] = DATABASES

const DEMO = listDemoDocuments(createDemoTree(0))

async function start(t: TestContext) {
  const server = await startExports(t, SQLITE!)
  const { exportOf, get } = server
  return {
    ...server,
    async download(id: DocumentId, query: string) {
      const made = await exportOf(id, query)
      const { bytes } = await follow(made.url)
      assert.equal(sha256(bytes), made.sha256)
      return { ...made, bytes }
    },
    /** The graph as the API shows it. */
    async readGraph(id: DocumentId): Promise<GraphContent> {
      const { nodes, groups, configuration } = (await get(`/documents/${id}`)).json.document
      return { nodes, groups, configuration }
    },
  }
}

test('[D30, EXP-1] given the demo documents, when they are exported as definitions, then reading these gives the same documents', async (t) => {
  const { document, endSolve, download, readGraph } = await start(t)
  for (const { name, file, failsOnPurpose } of DEMO) {
    const id = await document(readDemoDefinition(file), name)
    await endSolve(id)
    const { bytes, warnings, fileName } = await download(id, 'format=.gh')
    assert.equal(fileName, `${name}.gh`)
    // Grasshopper does not accept cycles of wires.
    assert.equal(warnings.length > 0, failsOnPurpose, warnings.join(' '))
    if (failsOnPurpose) continue
    assert.deepEqual(plain(readDefinition(bytes).content), await readGraph(id), name)
  }
})

test('[D30, EXP-1] given an imported definition, when it is exported, then the identical file; once it is edited, the edit with the unchanged parts', async (t) => {
  const { imported, endSolve, download, database } = await start(t)
  const file = createDefinitionFile({ panels: 3 })
  const id = await imported('Panels.ghx', file)
  await endSolve(id)
  const unchanged = await download(id, 'format=.gh')
  assert.ok(unchanged.bytes.equals(file))
  assert.equal(unchanged.fileName, 'Panels.gh')
  const content = readDefinition(file).content
  const [node] = Object.values(content.nodes)
  node!.nickName = 'Edited 塔'
  for (const port of Object.values(node!.ports)) port.nickName = node!.nickName
  await database.transaction(async (write) => {
    await write.updateTable('document').set({ seq: 2 }).where('public_id', '=', id).execute()
    const bytes = Buffer.from(JSON.stringify(content))
    await write.updateTable('document_snapshot').set({ seq: 2, content: bytes }).execute()
  })
  const edited = await download(id, 'format=.gh')
  assert.deepEqual(plain(readDefinition(edited.bytes).content), plain(content))
  assert.equal((await follow(unchanged.url)).status, 200)
})

const SAMPLES = fileURLToPath(new URL('../../../../../../shared/samples/', import.meta.url))
/** Each fourth definition: what `packages/grasshopper` reads and writes is tested there with all of them. */
const SOME = globSync('**/*.gh', { cwd: SAMPLES })
  .sort()
  .filter((_, index) => index % 4 === 0)

test('[D30, EXP-1] given real definitions, when they are imported and exported, then the original archives', {
  skip: !existsSync(SAMPLES) && 'the samples are not beside the project',
}, async (t) => {
  const { imported, endSolve, download } = await start(t)
  for (const path of SOME) {
    const file = readFileSync(join(SAMPLES, path))
    const id = await imported(basename(path), file)
    await endSolve(id)
    const { bytes, warnings } = await download(id, 'format=.gh')
    assert.deepEqual(warnings, [], path)
    assert.ok(inflate(bytes).equals(inflate(file)), path)
  }
})

/** Together they have geometry of every type. */
const MODELS = new Set([
  'Branching column',
  'Gridshell',
  'Parking layout',
  'Spiral stair',
  'Sun shading louvres',
])

test('[D29, EXP-2] given demo documents, when their solutions are exported as models, then every geometry is there, for our reader and for rhino3dm', async (t) => {
  const { document, solve: solveDocument, download } = await start(t)
  await using library = openModelLibrary()
  let count = 0
  for (const { name, file } of DEMO.filter(({ name }) => MODELS.has(name))) {
    const content = readDemoDefinition(file)
    const id = await document(content, name)
    await solveDocument(id)
    const values = listModelValues(content, solve(content))
    const [oldest, newest] = [
      await download(id, 'format=.3dm&modelerVersion=7'),
      await download(id, 'format=.3dm&modelerVersion=9'),
    ]
    const objects = [...walkModel(newest.bytes)]
    const byId = new Map(objects.map((object) => [object.id, object]))
    for (const { value, nodeName, portName, colour: _, ...location } of values) {
      // Planes are not objects in a model, and the members of a group are separate objects.
      if (value.type === 'plane' || value.type === 'group') continue
      const object = byId.get(createPlatformId(id, location))
      assert.ok(object, `${name}: ${nodeName} ${portName} ${location.path}[${location.index}]`)
      assert.equal(object.name, `${portName} ${location.path}[${location.index}]`)
      assert.ok(object.layer.startsWith(nodeName))
      const userStrings = ['node', 'port', 'path', 'index'].map((what) =>
        object.userStrings.get(`meadow.${what}`),
      )
      assert.deepEqual(userStrings, [
        location.nodeInstanceId,
        location.portInstanceId,
        location.path,
        String(location.index),
      ])
      assert.ok(decodeGeometry(object.encode()), object.name)
      count++
    }
    assert.deepEqual([...walkModel(oldest.bytes)].map(describe), objects.map(describe))
    // The library must read the same number.
    await library.convert(Uint8Array.from(newest.bytes), { archiveVersion: 8, objectCount: objects.length })
  }
  assert.ok(count > 1000, `only ${count}`)
})

const describe = ({ id, name, layer, userStrings, encode }: ModelObject) => ({
  id,
  name,
  layer,
  userStrings,
  data: encode().data,
})

const inflate = (file: Uint8Array) => Buffer.from(writeInflatedArchive(readArchive(file)))

/** As JSON, without prototypes and `undefined`. */
const plain = (content: GraphContent) => JSON.parse(JSON.stringify(content))
