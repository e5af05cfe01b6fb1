import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createRandom } from '@meadow/server/src/testing/random.ts'
import { sendRequest } from '../harness/request.ts'
import { listSearches } from '../requests/cases.ts'
import { requestsOf } from '../requests/contender.ts'
import { openMeadow } from '../requests/meadow.ts'
import { createContent } from './graph-content.ts'
import { documentName } from './names.ts'
import { buildTeam, type PlannedFolder, planFolders } from './synthetic-team.ts'

function everyFolder(folder: PlannedFolder): PlannedFolder[] {
  return [folder, ...folder.folders.flatMap(everyFolder)]
}

test('given a number of documents, when folders are planned, then they contain exactly as many, and the plan is deterministic', () => {
  for (const documents of [1, 46, 1_000, 30_000]) {
    const plan = planFolders(createRandom(7), documents)
    const folders = everyFolder(plan)
    assert.equal(
      folders.reduce((sum, folder) => sum + folder.documents, 0),
      documents,
    )
    for (const { folders: children } of folders) {
      assert.equal(new Set(children.map(({ name }) => name)).size, children.length)
    }
    assert.deepEqual(plan, planFolders(createRandom(7), documents))
  }
})

test('given a size, when a content is created, then its JSON has about that length and its wires have both ends', () => {
  const bytes = createContent(createRandom(1), 100_000)
  assert.ok(Math.abs(bytes.length - 100_000) < 1_500)
  const { nodes } = JSON.parse(bytes.toString())
  const wires = Object.values<{ sources: object }>(nodes).flatMap((node) =>
    Object.values(node.sources).flat(),
  )
  assert.ok(wires.length > 10)
  for (const { nodeInstanceId, portInstanceId } of wires) {
    assert.ok(portInstanceId in nodes[nodeInstanceId].outputs)
  }
})

test('given a hundred thousand names, when searches are listed, then they match the number of names of their kind', () => {
  const random = createRandom(3)
  const names = Array.from({ length: 100_000 }, () => documentName(random))
  const all = names.map((name) => name.toLowerCase()).join('\n')
  const kinds = listSearches({
    documents: 1,
    folders: 1,
    secret: '',
    typicalFolders: [],
    smallDocuments: [],
    largeDocuments: [],
    subtrees: [{ folder: 'fld' as never, documents: 1 }],
    names: names.slice(0, 1_000),
  })
  for (const { name, reads } of kinds) {
    assert.equal(new Set(reads.map(({ q }) => q)).size, reads.length, name)
    for (const { q } of reads) {
      if (name.includes('none match')) assert.ok(!all.includes(q.toLowerCase()), q)
      if (name === 'all match')
        assert.ok(
          names.every((of) => of.toLowerCase().includes(q.toLowerCase())),
          q,
        )
      if (name === 'three letters') assert.ok(q.length === 3 && all.includes(q), q)
    }
  }
  for (const { q } of kinds.find(({ name }) => name === 'common letters, none match')!.reads) {
    for (let start = 0; start + 3 <= q.length; start++) {
      const part = q.slice(start, start + 3)
      assert.ok(names.filter((name) => name.toLowerCase().includes(part)).length > 2_000, `${q}: ${part}`)
    }
  }
})

test('given a small team, when it is created and served, then the measured folders and documents have the expected sizes', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'meadow-bench-test-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const team = await buildTeam({ dataDir: join(dataDir, 'data') }, 300, () => {})
  await using meadow = await openMeadow('Meadow', { team, dataDir: join(dataDir, 'data') })

  const sizes = async (kind: 'folder' | 'document', ids: readonly string[]) => {
    const reads = ids.map((id) => ({ kind, [kind]: id }) as never)
    const { requests, ...server } = requestsOf(meadow, { name: '', reads, manner: 'first' })
    const responses = await Promise.all(requests.map((request) => sendRequest(server, request)))
    assert.ok(responses.every(({ status }) => status === 200))
    return responses.map(({ body }) => body.length)
  }
  assert.ok((await sizes('folder', team.typicalFolders)).length > 0)
  for (const size of await sizes('document', team.smallDocuments.slice(0, 5))) {
    assert.ok(size > 4_500 && size < 6_500, `${size}`)
  }
  for (const size of await sizes('document', team.largeDocuments.slice(0, 2))) {
    assert.ok(size > 2 ** 20 && size < 2 ** 20 + 2_000, `${size}`)
  }
})
