import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { API_ERRORS } from '@meadow/contract'
import fc from 'fast-check'
import { createSecurityHeaders } from '../../http/responses/security-headers.ts'
import { DATABASES } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { follow, openLink, sha256, startExports } from './testing/start-exports.ts'

const MB = 2 ** 20
const [SQLITE] = DATABASES

/** A server with a link to a file of this size. */
async function startWithFile(t: TestContext, size: number, name?: string) {
  const server = await startExports(t, SQLITE!)
  const bytes = randomBytes(size)
  const { url } = await server.linkTo(bytes, name)
  return { ...server, bytes, url, tag: `"${sha256(bytes)}"` }
}

test('[EXP-19] given a link, when it is requested, then the file with its name, type, length, tag and digest', async (t) => {
  const { bytes, url, tag } = await startWithFile(t, 5000, 'Türme (塔).gh')
  const { status, headers, bytes: sent } = await follow(url)
  const { date: _, connection: __, 'x-request-id': ___, ...rest } = headers
  const base64 = Buffer.from(sha256(bytes), 'hex').toString('base64')
  assert.equal(status, 200)
  assert.deepEqual(rest, {
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-disposition':
      'attachment; filename="Turme (_).3dm"; filename*=UTF-8\'\'T%C3%BCrme%20%28%E5%A1%94%29.3dm',
    'content-length': '5000',
    'content-type': 'model/vnd.3dm',
    digest: `sha-256=${base64}`,
    etag: tag,
    'repr-digest': `sha-256=:${base64}:`,
    vary: 'Authorization',
    ...createSecurityHeaders({ baseUrl: undefined, hsts: 'off' }),
  })
  assert.ok(sent.equals(bytes))
})

test('[EXP-19] given a link, when other methods are used, then HEAD like GET without the body, and 405 for the rest', async (t) => {
  const { url } = await startWithFile(t, 5000)
  const withoutChanging = ({ date, 'x-request-id': id, ...headers }: Record<string, unknown>) => headers
  const head = await follow(url, {}, 'HEAD')
  assert.deepEqual(withoutChanging(head.headers), withoutChanging((await follow(url)).headers))
  assert.deepEqual([head.status, head.bytes.length], [200, 0])
  const part = await follow(url, { range: 'bytes=0-9' }, 'HEAD')
  assert.deepEqual([part.status, part.headers['content-length']], [200, '5000'])
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    const { status, headers, error } = await follow(url, { 'content-type': 'text/plain' }, method)
    assert.deepEqual(
      [status, headers.allow, error],
      [405, 'GET, HEAD', API_ERRORS.method_not_allowed.sentence],
    )
  }
})

test('[EXP-20] given any single range, then 206 with exactly these bytes, or 416 beyond the end', async (t) => {
  const { bytes, url } = await startWithFile(t, 600_000)
  const size = bytes.length
  const ranges = fc.oneof(
    fc.tuple(fc.nat(size + 10), fc.nat(size + 10)).map((ends) => ends.sort((a, b) => a - b)),
    fc.nat(size + 10).map((first) => [first, ''] as const),
    fc.nat(size + 10).map((count) => ['', count] as const),
  )
  await fc.assert(
    fc.asyncProperty(ranges, async ([first, last]) => {
      const { status, headers, bytes: sent } = await follow(url, { range: `bytes=${first}-${last}` })
      const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
      const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
      if (start > end) {
        assert.deepEqual([status, headers['content-range']], [416, `bytes */${size}`])
        assert.equal(headers['content-disposition'], undefined)
      } else {
        assert.deepEqual([status, headers['content-range']], [206, `bytes ${start}-${end}/${size}`])
        assert.equal(headers['content-length'], String(end + 1 - start))
        assert.ok(sent.equals(bytes.subarray(start, end + 1)))
      }
    }),
    { numRuns: 60 },
  )
})

test('[EXP-20] given several ranges, an invalid range, or an If-Range that does not match, then the whole file', async (t) => {
  const { bytes, url, tag } = await startWithFile(t, 5000)
  const statusFor = async (headers: Record<string, string>) => {
    const { status, bytes: sent } = await follow(url, headers)
    assert.ok(sent.equals(status === 206 ? bytes.subarray(10, 20) : bytes))
    return status
  }
  const range = 'bytes=10-19'
  for (const other of ['bytes=0-1,5-6', 'bytes=10-9', 'lines=10-19', 'bytes=x']) {
    assert.equal(await statusFor({ range: other }), 200, other)
  }
  for (const condition of [`W/${tag}`, '"other"', 'Fri, 20 Nov 2026 10:00:00 GMT', '*']) {
    assert.equal(await statusFor({ range, 'if-range': condition }), 200, condition)
  }
  assert.equal(await statusFor({ range, 'if-range': tag }), 206)
  assert.equal(await statusFor({ range }), 206)
})

test('[EXP-21] given conditions, then 304 when the client has the file, and 412 when it has another', async (t) => {
  const { url, tag } = await startWithFile(t, 5000)
  for (const condition of [tag, '*', `W/${tag}`, `"other", ${tag}`]) {
    const { status, headers, bytes } = await follow(url, { 'if-none-match': condition })
    assert.deepEqual([status, headers.etag, bytes.length], [304, tag, 0])
    assert.equal((await follow(url, { 'if-none-match': condition }, 'HEAD')).status, 304)
  }
  assert.equal((await follow(url, { 'if-none-match': '"other"' })).status, 200)
  for (const condition of [tag, '*', `"other", ${tag}`]) {
    assert.equal((await follow(url, { 'if-match': condition })).status, 200)
  }
  for (const condition of ['"other"', `W/${tag}`]) {
    const { status, error } = await follow(url, { 'if-match': condition, range: 'bytes=0-1' })
    assert.deepEqual([status, error], [412, API_ERRORS.precondition_failed.sentence])
  }
})

test('[EXP-22] given a download that is interrupted repeatedly, when it is resumed, then the same bytes', async (t) => {
  const { bytes, url, tag } = await startWithFile(t, 8 * MB)
  const pieces: Buffer[] = []
  let length = 0
  let cuts = 0
  while (length < bytes.length) {
    const response = await openLink(url, length > 0 ? { range: `bytes=${length}-`, 'if-range': tag } : {})
    assert.equal(response.statusCode, length > 0 ? 206 : 200)
    let taken = 0
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece)
      length += piece.length
      taken += piece.length
      // Leaving the loop closes the connection.
      if (taken > 1.5 * MB) break
    }
    cuts++
  }
  assert.ok(cuts > 4)
  assert.equal(sha256(Buffer.concat(pieces)), sha256(bytes))
})

const noDescriptors = process.platform !== 'linux' && 'open files cannot be listed here'

test('[EXP-22] given many slow clients of a large file, then no more is read than they take, and each gets all of it', async (t) => {
  const { bytes, url, blobPath, tag } = await startWithFile(t, 24 * MB)
  const responses = await Promise.all(Array.from({ length: 16 }, () => openLink(url)))
  for (const response of responses) {
    await once(response, 'readable')
    assert.ok(response.read(1000))
  }
  // Each file is read as it is taken: one that is held in memory would be closed by now.
  const path = blobPath(tag.slice(1, -1))
  if (!noDescriptors)
    assert.equal((await listOpenFiles()).filter((open) => open === path).length, responses.length)
  for (const response of responses) {
    let length = 1000
    for await (const piece of response) length += piece.length
    assert.equal(length, bytes.length)
  }
})

test('[EXP-22] given clients that disconnect, or do not request the body, then the file is closed', {
  skip: noDescriptors,
}, async (t) => {
  const { url, blobPath, tag } = await startWithFile(t, 24 * MB)
  const path = blobPath(tag.slice(1, -1))
  const isClosed = () => until('the file is closed', async () => !(await listOpenFiles()).includes(path))
  const response = await openLink(url)
  await once(response, 'readable')
  assert.ok((await listOpenFiles()).includes(path))
  response.destroy()
  await isClosed()
  await follow(url, {}, 'HEAD')
  await follow(url, { range: 'bytes=99999999-' })
  await follow(url, { 'if-none-match': tag })
  await follow(url, { range: 'bytes=0-9' })
  await isClosed()
})

async function listOpenFiles(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd')
  return Promise.all(descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
}
