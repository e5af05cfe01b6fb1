import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createSuiteScope } from '../../testing/at-end.ts'
import { until } from '../../testing/until.ts'
import { numbers } from './testing/graphs.ts'
import { startSolutions } from './testing/start-solutions.ts'

const MB = 2 ** 20

const noDescriptors = process.platform !== 'linux' && 'open files cannot be listed here'

/** 24 MB that compress to 18: far more than the buffers of a connection. */
function* largeBody() {
  yield Buffer.from('{"data":{"solutionId":"sol_1"},"includesGeometry":false,"text":"')
  for (let i = 0; i < 24; i++) yield Buffer.from(randomBytes((3 * MB) / 4).toString('base64'))
  yield Buffer.from('"}')
}

const scope = createSuiteScope()
let started: ReturnType<typeof startLarge> | undefined

/** Returns the server of all tests here: to compress its body takes longer than to read it. */
function shareLarge() {
  started ??= startLarge()
  return started
}

async function startLarge() {
  const server = await startSolutions(scope, { isAlone: true })
  const id = await server.document(numbers())
  const row = await server.readRow(await server.leaveBody(await server.run(id), largeBody()))
  const open = (encoding: string, accept = '*/*') =>
    server.openRaw(`/documents/${id}/solution`, { 'accept-encoding': encoding, accept })
  return { ...server, row, open }
}

/** Reads at least this much, and stops. */
async function readSome(response: IncomingMessage, atLeast: number, hash = createHash('sha256')) {
  let length = 0
  const take = (chunk: Buffer) => {
    hash.update(chunk)
    length += chunk.length
    if (length >= atLeast) response.pause()
  }
  response.on('data', take)
  await once(response, 'pause')
  response.off('data', take)
  return hash
}

for (const [encoding, count] of [
  ['gzip', 10],
  ['identity', 3],
] as const) {
  test(`given ${count} slow readers of a large body as ${encoding}, then all get all of it, and no more is read than they take`, async () => {
    const { row, open, blobs, blobPath } = await shareLarge()
    const responses = await Promise.all(Array.from({ length: count }, () => open(encoding)))
    const hashes = await Promise.all(responses.map((response) => readSome(response, MB)))
    // All are still reading, and each body is read as it is taken: whole ones would have been read to their ends, and closed.
    const path = blobPath(row.values_gzip!)
    if (!noDescriptors) assert.equal((await listOpenFiles()).filter((open) => open === path).length, count)
    const length = encoding === 'gzip' ? (await blobs.read(row.values_gzip!))!.length : row.values_bytes
    for (const [i, response] of responses.entries()) {
      assert.equal(response.headers['content-length'], String(length))
      for await (const chunk of response) hashes[i]!.update(chunk)
    }
    const digests = new Set(hashes.map((hash) => hash.digest('hex')))
    assert.equal(digests.size, 1)
    if (encoding === 'gzip') assert.ok(digests.has(row.values_gzip!))
  })
}

test('[LINE-2] given a client that disconnects while it reads, then the file is closed', {
  skip: noDescriptors,
}, async () => {
  const { row, open, blobPath } = await shareLarge()
  for (const [encoding, accept] of [
    ['gzip'],
    ['zstd'],
    ['identity'],
    ['identity', 'application/x-ndjson'],
    ['gzip', 'application/x-ndjson'],
  ] as const) {
    const path = blobPath(encoding === 'zstd' ? row.values_zstd! : row.values_gzip!)
    const response = await open(encoding, accept)
    await readSome(response, MB)
    assert.ok((await listOpenFiles()).includes(path))
    response.destroy()
    await until('the file is closed', async () => !(await listOpenFiles()).includes(path))
  }
})

async function listOpenFiles(): Promise<string[]> {
  const folder = '/proc/self/fd'
  const links = (await readdir(folder)).map((name) => readlink(`${folder}/${name}`))
  return (await Promise.allSettled(links)).flatMap((link) => (link.status === 'fulfilled' ? link.value : []))
}
