import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createContentIndexes, indexContent } from '../../content/content-index.ts'
import { createDocument } from '../../library/documents.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import { discardBlobsUnlessUsed } from '../../team/content-blobs.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import { startServer } from '../../testing/start-server.ts'

const IDS = ['a', 'b', 'B"', 'ü😀', '__proto__', 'constructor', 'n,1', '\\', 'name:x']
const NAMES = ['Tower', 'tower', '', 'Größe "x"', '__proto__', 'toString']

const node = (name: string, nickName: string, more: object = {}) => ({ name, nickName, ...more })

/** What a response has to be, made from the whole document. */
function selectFrom(
  whole: { nodes: object },
  nodes: string[] | undefined,
  fields: string[] | undefined,
): object {
  const items = nodes && [...new Set(nodes)]
  const isOf = (item: string, [id, { name, nickName }]: [string, ReturnType<typeof node>]) =>
    item.startsWith('name:') ? [name, nickName].includes(item.slice(5)) : id === item
  const all = Object.entries(whole.nodes) as [string, ReturnType<typeof node>][]
  const kept = items ? all.filter((entry) => items.some((item) => isOf(item, entry))) : all
  const document = Object.entries({ ...whole, nodes: Object.fromEntries(kept) })
  const missing = {
    nodes: items?.filter((item) => !all.some((entry) => isOf(item, entry))) ?? [],
    fields: [...new Set(fields ?? [])].filter((field) => !Object.hasOwn(whole, field)),
  }
  const notFound = Object.entries(missing).filter(([, names]) => names.length > 0)
  return {
    ...Object.fromEntries(document.filter(([name]) => !fields || name === 'id' || fields.includes(name))),
    ...(notFound.length > 0 && { notFound: Object.fromEntries(notFound) }),
  }
}

const toQuery = (parts: Record<string, string[] | undefined>) =>
  Object.entries(parts)
    .filter(([, list]) => list)
    .map(([name, list]) => `${name}=${encodeURIComponent(list!.join())}`)
    .join('&')

test('[PART-1, PART-2] given any document, in its row or in a blob, then parts are those of the whole document in its order, and what is missing is named', async (t) => {
  const { get, fixtures, team, database, service } = await startServer(t)
  const { key: folder } = await fixtures.root(team)
  const inBlob = async (content: object) => {
    const { digest, size } = await service.blobs.put(Buffer.from(JSON.stringify(content)))
    await discardBlobsUnlessUsed(database, [digest])
    const stored = { kind: 'blob', digest, size } as const
    return changeTeam(database, team.key, (change) =>
      createDocument(change, { folder, name: 'Tower', content: stored, references: [] }),
    )
  }
  const name = fc.constantFrom(...NAMES)
  const nodes = fc.dictionary(
    fc.constantFrom(...IDS),
    fc.record({ name, nickName: name, values: fc.jsonValue() }),
  )
  const ids = fc.constantFrom(...IDS.filter((id) => !id.includes(',') && !id.startsWith('name:')), 'nothing')
  const items = fc.oneof(
    ids,
    name.map((each) => `name:${each}`),
  )
  const fields = fc.constantFrom('id', 'name', 'version', 'nodes', 'groups', 'file', 'nothing', '__proto__')
  await fc.assert(
    fc.asyncProperty(
      nodes,
      fc.boolean(),
      fc.option(fc.array(items), { nil: undefined }),
      fc.option(fc.array(fields), { nil: undefined }),
      async (nodes, isInBlob, items, fields) => {
        const content = {
          nodes,
          groups: [{ label: '"nodes":{' }],
          configuration: { inputs: [], outputs: [] },
        }
        const id = isInBlob ? (await inBlob(content)).id : await fixtures.document(team, { content })
        const whole = await get(`/documents/${id}`)
        const { status, text } = await get(`/documents/${id}?${toQuery({ nodes: items, fields })}`)
        assert.equal(status, 200)
        if (!items && !fields) assert.equal(text, whole.text)
        const expected = selectFrom(whole.json.document, items, fields)
        assert.equal(text, JSON.stringify({ document: expected }))
        // Once more, from the cache of contents.
        assert.equal((await get(`/documents/${id}?${toQuery({ nodes: items, fields })}&again`)).text, text)
      },
    ),
    { numRuns: 60 },
  )
})

test('[PART-1] given parameters that are repeated, empty or unusual, then all of them count, and the response is 200', async (t) => {
  const { get, fixtures, team } = await startServer(t)
  const content = { nodes: { a: node('A', ''), b: node('B', 'Tower'), c: node('C', 'a,b') }, groups: [] }
  const id = await fixtures.document(team, { content })
  const read = async (query: string) => (await get(`/documents/${id}?${query}`)).json.document
  const idsOf = async (query: string) => Object.keys((await read(query)).nodes)
  assert.deepEqual(await idsOf('nodes=c&nodes=a,a,,c'), ['a', 'c'])
  assert.deepEqual(await idsOf('nodes=name:Tower,name%3AA'), ['a', 'b'])
  assert.deepEqual([await idsOf('nodes='), await idsOf('nodes=,,')], [[], []])
  // Decoded once.
  assert.deepEqual((await read('nodes=%2561')).notFound, { nodes: ['%61'] })
  assert.deepEqual(await read('fields='), { id })
  assert.deepEqual(await read('fields=nothing&nodes=a'), { id, notFound: { fields: ['nothing'] } })
  const many = Array.from({ length: 9000 }, (_, i) => `n${i}`)
  const { notFound, nodes } = await read(`nodes=${many},b`)
  assert.deepEqual([notFound.nodes, Object.keys(nodes)], [many, ['b']])
  const tooMany = await get(`/documents/${id}?nodes=${Array.from({ length: 100_000 }, (_, i) => `n${i}`)}`)
  assert.equal(tooMany.status, 431)
  for (const query of ['nodes=%', 'nodes=%00', 'nodes=%FF', 'fields=%', 'nodes=name:', 'nodes=__proto__'])
    assert.equal((await get(`/documents/${id}?${query}`)).status, 200, query)
})

test('[PART-3, D10] given parts, then each form has its own tag, which gives 304 for it alone, with HEAD too, until the document changes', async (t) => {
  const { get, fixtures, team, database } = await startServer(t)
  const content = { nodes: { a: node('A', ''), b: node('B', '') }, groups: [] }
  const id = await fixtures.document(team, { content })
  const forms = [
    '',
    '?nodes=a',
    '?nodes=b',
    '?fields=name',
    '?fields=nodes',
    '?nodes=a&fields=nodes',
    '?nodes=',
  ]
  const tags = new Map<string, string>()
  for (const form of forms) {
    const { headers } = await get(`/documents/${id}${form}`)
    tags.set(form, headers.get('etag')!)
  }
  assert.equal(new Set(tags.values()).size, forms.length)
  const statusOf = async (form: string, tag: string, method = 'GET') =>
    (await get(`/documents/${id}${form}`, { method, headers: { 'if-none-match': tag } })).status
  for (const form of forms)
    for (const other of forms)
      assert.equal(await statusOf(form, tags.get(other)!), form === other ? 304 : 200, `${form} ${other}`)
  for (const form of forms) {
    assert.equal(await statusOf(form, tags.get(form)!, 'HEAD'), 304)
    const head = await get(`/documents/${id}${form}`, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('etag')], [200, tags.get(form)])
  }
  const row = database.transaction((write) =>
    write.updateTable('document').set({ name: 'Other' }).where('public_id', '=', id).execute(),
  )
  await row
  await fixtures.document(team)
  for (const form of forms) assert.equal(await statusOf(form, tags.get(form)!), 200)
})

test('[PART-4] given a large content in a blob, when a node is read again, then little more than its bytes are read, in chunks of any size', async (t) => {
  const { blobs } = await openTestBlobs(t)
  const nodes = Object.fromEntries(
    Array.from({ length: 500 }, (_, i) => [
      `n${i}`,
      node('N', `${i}`, { text: randomBytes(2000).toString('hex') }),
    ]),
  )
  const content = Buffer.from(JSON.stringify({ nodes, groups: [], configuration: {} }))
  const { digest } = await blobs.put(content)
  let readBytes = 0
  const counted: BlobStore = {
    ...blobs,
    async open(digest) {
      const blob = (await blobs.open(digest))!
      const { size } = blob
      return {
        size,
        close: () => blob.close(),
        pour: (take, range) =>
          blob.pour((chunk) => {
            readBytes += chunk.length
            return take(chunk)
          }, range),
        stream: (range) =>
          blob
            .stream(range)
            .on('data', ({ length }) => (readBytes += length))
            .pause(),
      }
    },
  }
  const indexes = createContentIndexes(counted, 10 ** 6)
  const reserved: number[] = []
  const reserve = (bytes: number) => void reserved.push(bytes)
  const stored = { key: 1 as DocumentKey, seq: 1, digest }
  const [first, second] = await Promise.all([indexes.get(stored, reserve), indexes.get(stored, reserve)])
  assert.equal(first, second)
  assert.deepEqual([readBytes, reserved], [content.length, [3 * content.length, 3 * content.length]])
  readBytes = 0
  const index = await indexes.get(stored, reserve)
  const spans = [index.nodes.get('n3')!, index.nodes.get('n400')!, index.members.get('groups')!]
  const read = await indexes.read(stored, spans, reserve)
  assert.deepEqual(
    read.map((bytes) => JSON.parse(Buffer.from(bytes).toString())),
    [nodes.n3, nodes.n400, []],
  )
  assert.ok(readBytes < content.length / 50, String(readBytes))
  const inRow = { key: 1 as DocumentKey, seq: 2, bytes: content }
  assert.equal(indexes.findBytes(inRow), undefined)
  assert.deepEqual(await indexes.get(inRow, reserve), index)
  assert.equal(indexes.findBytes(inRow), undefined, 'it is larger than the cache')
  const roomy = createContentIndexes(counted, 10 ** 7)
  await roomy.get(inRow, reserve)
  assert.deepEqual(roomy.findBytes(inRow), { bytes: content })
  assert.equal(roomy.findBytes({ ...inRow, seq: 3 }), undefined)
  const shredded = await indexContent(cut(content, 997))
  assert.deepEqual([shredded.nodes, shredded.members], [index.nodes, index.members])
  await assert.rejects(indexContent(cut(content.subarray(0, -1), 997)), SyntaxError)
})

function* cut(bytes: Buffer, length: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}
