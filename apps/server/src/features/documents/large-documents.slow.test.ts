import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { createDocument } from '../../library/documents.ts'
import { discardBlobsUnlessUsed } from '../../team/content-blobs.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { startServer } from '../../testing/start-server.ts'

const LARGE = 1_400_000

/** A server with a document whose content and clusters are in the blob store. */
async function start(t: Parameters<typeof startServer>[0], cacheMb: string) {
  const app = await startServer(t, { MEADOW_CACHE_MB: cacheMb })
  const { service, database, team, fixtures, get } = app
  const { key: root } = await fixtures.root(team)
  const put = async (value: object) => {
    const { digest, size } = await service.blobs.put(Buffer.from(JSON.stringify(value)))
    await discardBlobsUnlessUsed(database, [digest])
    return { kind: 'blob', digest, size } as const
  }
  const graph = { nodes: { n1: { name: randomBytes(LARGE / 2).toString('hex') } }, groups: [] }
  const parts = { content: await put(graph), clusters: await put({ c1: 'x'.repeat(200_000) }) }
  const create = (name: string, clusters?: typeof parts.clusters) =>
    changeTeam(database, team.key, (change) =>
      createDocument(change, {
        ...{ folder: root, name, content: parts.content, references: [] },
        source: clusters && {
          ...{ root, from: '/', path: `${name}.gh`, sha256: 'aa', blob: 'aa', sizeBytes: 6, mtimeMs: null },
          facts: { file: '{"plugins":[]}', clusters },
        },
      }),
    )
  return {
    ...app,
    graph,
    parts,
    create,
    read: (id: string, encoding = 'identity', init: RequestInit = {}) =>
      get(`/documents/${id}`, { ...init, headers: { ...init.headers, 'accept-encoding': encoding } }),
  }
}

for (const [manner, cacheMb] of Object.entries({ sent: '0', cached: '64' }))
  describe(`large documents, ${manner}`, () => {
    test('[DOC-38, DOC-33, D10] given a content and clusters in the blob store, then the response is complete, in each encoding, and its tag gives 304', async (t) => {
      const { create, parts, graph, read } = await start(t, cacheMb)
      for (const clusters of [undefined, parts.clusters]) {
        const { id } = await create(`Tower ${!clusters}`, clusters)
        const plain = await read(id)
        const { nodes, groups, file } = plain.json.document
        assert.deepEqual({ nodes, groups }, graph)
        assert.deepEqual(file?.plugins, clusters && [])
        assert.equal(plain.json.document.clusters?.c1.length, clusters && 200_000)
        assert.equal(plain.headers.get('content-length'), String(Buffer.byteLength(plain.text)))
        const tag = plain.headers.get('etag')!
        for (const encoding of ['gzip', 'br']) {
          const packed = await read(id, encoding)
          assert.deepEqual([packed.text, packed.headers.get('content-encoding')], [plain.text, encoding])
          assert.equal(packed.headers.get('etag'), `${tag.slice(0, -1)}-${encoding}"`)
        }
        const head = await read(id, 'identity', { method: 'HEAD' })
        assert.deepEqual(
          [head.status, head.text, head.headers.get('content-length'), head.headers.get('etag')],
          [200, '', String(Buffer.byteLength(plain.text)), tag],
        )
        assert.equal((await read(id, 'identity', { headers: { 'if-none-match': tag } })).status, 304)
      }
    })

    test('[DOC-38, D8] given a part that is missing in the blob store, then 500', async (t) => {
      const { create, parts, read, service } = await start(t, cacheMb)
      const { id } = await create('Tower', parts.clusters)
      for (const { digest } of [parts.content, parts.clusters]) {
        await service.blobs.remove(digest)
        assert.deepEqual([(await read(id)).status, (await read(id, 'gzip')).status], [500, 500])
      }
    })
  })
