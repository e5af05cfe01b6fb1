import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { revokeToken } from '../../access/team-tokens.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { locateTestBucket } from '../../testing/blob-stores.ts'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { listChildren, noProc } from '../../testing/child-processes.ts'
import { DATABASES } from '../../testing/databases.ts'
import { numbers } from '../solutions/testing/graphs.ts'
import { follow, startExports } from './testing/start-exports.ts'

const [SQLITE] = DATABASES

/** A server whose files are in a bucket. */
async function startOnBucket(t: TestContext, env: Record<string, string> = {}) {
  const { server, endpoint, bucket, prefix } = await locateTestBucket(t)
  const { log, lines } = createCapturedLog()
  const started = await startExports(t, SQLITE!, log, {
    MEADOW_BLOBS: `s3://${bucket}/${prefix}?endpoint=${endpoint}`,
    AWS_ACCESS_KEY_ID: server.keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.keys.secretAccessKey,
    ...env,
  })
  return { ...started, store: server, lines }
}

const listMakers = () => (noProc ? [] : listChildren('exports/make-file').map(({ pid }) => pid))

test('[S3-9, EXP-28] given files in a bucket, when one is exported and downloaded, then a child process stores it there, and no key is in its arguments or the log', async (t) => {
  const { document, endSolve, exportOf, store, lines, blobs } = await startOnBucket(t)
  const id = await document(numbers(), 'Tower')
  await endSolve(id)
  // Processes of other tests may not have ended yet.
  const others = new Set(listMakers())
  const { url, sha256 } = await exportOf(id, 'format=.gh')
  if (!noProc) {
    assert.equal(listMakers().filter((pid) => !others.has(pid)).length, 1)
    assert.deepEqual(listChildren(store.keys.secretAccessKey), [])
  }
  const { status, bytes, headers } = await follow(url)
  assert.deepEqual([status, headers.location], [200, undefined])
  assert.ok((await blobs.read(sha256))!.equals(bytes))
  const part = await follow(url, { range: 'bytes=10-19' })
  assert.deepEqual([part.status, part.bytes], [206, bytes.subarray(10, 20)])
  assert.ok(!JSON.stringify(lines).includes(store.keys.secretAccessKey))
})

test('[EXP-28] given redirects, when a link is followed, then the bucket sends the file with its name and type, for 60 s', async (t) => {
  const { linkTo } = await startOnBucket(t, { MEADOW_BLOBS_REDIRECT: 'on' })
  const content = randomBytes(300_000)
  const { url } = await linkTo(content, 'Tower 7.gh')
  const redirect = await follow(url)
  assert.deepEqual(
    [
      redirect.status,
      redirect.headers['cache-control'],
      redirect.headers['referrer-policy'],
      redirect.bytes.length,
    ],
    [302, 'no-store', 'no-referrer', 0],
  )
  const { location } = redirect.headers
  assert.equal(new URL(location!).searchParams.get('X-Amz-Expires'), '60')
  const { status, headers, bytes } = await follow(location!)
  assert.equal(status, 200)
  assert.ok(bytes.equals(content))
  assert.equal(headers['content-type'], 'model/vnd.3dm')
  assert.equal(headers['content-disposition'], 'attachment; filename="Tower 7.3dm"')
  const part = await follow(location!, { range: 'bytes=10-19' })
  assert.deepEqual([part.status, part.bytes], [206, content.subarray(10, 20)])
  // Of another object, or with another name, the signature is wrong.
  assert.equal((await follow(location!.replace('Tower', 'Power'))).status, 403)
  // What Meadow answers by itself.
  const head = await follow(url, {}, 'HEAD')
  assert.deepEqual([head.status, head.headers['content-length']], [200, '300000'])
  assert.equal((await follow(url, { 'if-none-match': head.headers.etag })).status, 304)
})

test('[EXP-28] given redirects, when the token of a link is revoked, then 410 and no redirect', async (t) => {
  const { linkTo, database, team } = await startOnBucket(t, { MEADOW_BLOBS_REDIRECT: 'on' })
  const { url } = await linkTo(randomBytes(100))
  assert.equal((await follow(url)).status, 302)
  const { id } = await database.read.selectFrom('token').select('public_id as id').executeTakeFirstOrThrow()
  await changeTeam(database, team.key, (change) => revokeToken(change, id))
  const { status, headers } = await follow(url)
  assert.deepEqual([status, headers.location], [410, undefined])
})

test('[EXP-28] given redirects and files in a folder, when a link is followed, then Meadow sends the file', async (t) => {
  const { linkTo } = await startExports(t, SQLITE!, undefined, { MEADOW_BLOBS_REDIRECT: 'on' })
  const content = randomBytes(100)
  const { status, bytes } = await follow((await linkTo(content)).url)
  assert.equal(status, 200)
  assert.ok(bytes.equals(content))
})
