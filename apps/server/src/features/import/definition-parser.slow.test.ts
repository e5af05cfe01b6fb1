import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { DEFAULT_POOL_LIMITS } from '../../platform/processes/pool-limits.ts'
import { atEnd } from '../../testing/at-end.ts'
import { CLUSTERED, createClusteredFile } from '../../testing/clustered-file.ts'
import { createDefinitionFile, IMPORT_3DM } from '../../testing/definition-file.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import { openDefinitionParser, type ParserOptions } from './definition-parser.ts'

function openParser(t: TestContext, options: ParserOptions = {}) {
  const parser = openDefinitionParser(options)
  atEnd(t, async () => parser[Symbol.asyncDispose]())
  return parser
}

const fileOf = (text = 'hello') => createDefinitionFile({ text })

/** A file that takes long to read. */
const HEAVY = createDefinitionFile({ panels: 12_000 })

/** For the tests that need no setting: its process takes a second to start. */
const shared = openDefinitionParser()
after(() => shared[Symbol.asyncDispose]())

/** A file of some 100 KB whose JSON takes this many megabytes. */
const hugePanel = (megabytes: number) => fileOf('"'.repeat((megabytes * 2 ** 20) / 2))

test('given definitions, when they are parsed concurrently, then each has its own document', async () => {
  const texts = ['one', 'two', 'three']
  const documents = await Promise.all(texts.map((text) => shared.parse(fileOf(text))))
  for (const [index, { content }] of documents.entries()) {
    assert.ok(Buffer.from(content).toString().includes(`"${texts[index]}"`))
  }
})

test('given a file that is not a definition, when it is parsed, then it fails with a reason and the next one is parsed', async () => {
  await assert.rejects(shared.parse(new Uint8Array(3)), { name: 'ImportError', message: /\S/ })
  assert.ok((await shared.parse(fileOf())).content.length > 0)
})

test('[LIB-1] given files that are not models, user objects or clusters, when they are read as such, then each fails with a reason', async () => {
  const reasons = {
    model: /^it is not a \.3dm file$/,
    user_object: /not a user object/,
    cluster: /not a cluster file/,
  }
  for (const kind of ['model', 'user_object', 'cluster'] as const) {
    await assert.rejects(shared.readFile(fileOf(), kind), { name: 'ImportError', message: reasons[kind] })
    await assert.rejects(shared.readFile(new Uint8Array(3), kind), { name: 'ImportError', message: /\S/ })
  }
})

test('[IMP-15] given a file that exceeds the time limit, when it is parsed, then it fails with that reason', async (t) => {
  const parser = openParser(t, { limits: { ...DEFAULT_POOL_LIMITS.definitions, cpuMs: 1 } })
  await assert.rejects(parser.parse(HEAVY), {
    name: 'ImportError',
    message: 'it takes more than 0.001 s to read',
  })
})

test('[IMP-15] given a file that exceeds the memory limit, when it is parsed, then it fails alone', async (t) => {
  const parser = openParser(t, { limits: { ...DEFAULT_POOL_LIMITS.definitions, heapMb: 64 } })
  const file = createDefinitionFile({ panels: 30_000 })
  const [heavy, next] = await Promise.allSettled([parser.parse(file), parser.parse(fileOf())])
  assert.equal(heavy.status === 'rejected' && heavy.reason.message, 'it takes too much memory to read')
  assert.equal(next.status, 'fulfilled')
})

test('[IMP-22] given an uploaded file with a huge document, when it is parsed, then the document is in the blob store, and this process gets its digest', async (t) => {
  const { blobs, blobsLocation } = await openTestBlobs(t)
  const parser = openParser(t, { blobs: blobsLocation })
  const small = await blobs.put(fileOf())
  assert.equal((await parser.parseBlob(small.digest, 'a')).content.kind, 'inline')
  const { digest, size } = await blobs.put(hugePanel(24))
  assert.ok(size < 100_000, `${size} bytes`)
  const { content } = await parser.parseBlob(digest, 'a')
  assert.ok(content.kind === 'blob')
  const opened = (await blobs.open(content.digest))!
  await opened.close()
  assert.ok(opened.size > 24 * 2 ** 20, `${opened.size} bytes`)
})

test('[IMP-17] given files that are parsed or wait, when the parser is closed, then they fail without an import error, and no process starts again', async (t) => {
  const parser = openParser(t)
  await parser.parse(fileOf())
  const parsing = Promise.allSettled([parser.parse(HEAVY), parser.parse(fileOf())])
  setImmediate(() => parser[Symbol.asyncDispose]())
  for (const result of await parsing) {
    assert.equal(result.status === 'rejected' && result.reason.message, 'The service is stopping.')
  }
  await assert.rejects(parser.parse(fileOf()), /The service is stopping/)
})

test('[IMP-14] given a file that is being parsed, when the import is stopped, then it is aborted, and so are those that wait', async (t) => {
  const stop = new AbortController()
  const parser = openParser(t, { signal: stop.signal })
  await parser.parse(fileOf())
  const parsing = Promise.allSettled([parser.parse(HEAVY), parser.parse(fileOf())])
  setImmediate(() => stop.abort())
  assert.deepEqual(
    (await parsing).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})

test('[IMP-24] given a stored document, when its unsolvable nodes are listed, then its clusters are read from its file, and too little time is no error', async (t) => {
  const { blobs, blobsLocation } = await openTestBlobs(t)
  const parser = openParser(t, { blobs: blobsLocation })
  const { content } = await parser.parse(createDefinitionFile({ unsolvable: true }))
  const inline = await parser.listUnsolvable({ bytes: content }, undefined, 'a')
  assert.deepEqual(
    inline?.map(({ name }) => name),
    ['Layout', 'Robot', 'Import 3DM'],
  )
  const { digest } = await blobs.put(content)
  assert.deepEqual(await parser.listUnsolvable({ digest }, undefined, 'a'), inline)

  const file = createClusteredFile(2, { pointClass: IMPORT_3DM })
  const clustered = await parser.parse(file)
  assert.deepEqual(
    clustered.unsolvable.map(({ nodeInstanceId, name, cluster }) => [nodeInstanceId, name, cluster]),
    [[CLUSTERED.cluster, 'Import 3DM', 'Cluster']],
  )
  const original = await blobs.put(file)
  const found = await parser.listUnsolvable({ bytes: clustered.content }, original.digest, 'a')
  assert.deepEqual(found, clustered.unsolvable)
  const [unread] = (await parser.listUnsolvable({ bytes: clustered.content }, undefined, 'a')) ?? []
  assert.match(unread?.reason ?? '', /^What is inside this cluster is not known: no Grasshopper file/)

  const limits = { ...DEFAULT_POOL_LIMITS.definitions, cpuMs: 1 }
  const hasty = openParser(t, { limits, blobs: blobsLocation })
  // The time is looked at now and then, and a fast machine lists few nodes before.
  const large = (await parser.parse(createDefinitionFile({ panels: 60_000 }))).content
  assert.equal(await hasty.listUnsolvable({ bytes: large }, undefined, 'a'), null)
})
