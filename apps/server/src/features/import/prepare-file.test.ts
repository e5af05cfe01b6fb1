import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { truncate, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { reasonOf } from '../../platform/system-errors.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { MAX_FILE_BYTES, readStableFile } from './prepare-file.ts'

const reasonFor = (path: string) => readStableFile(path).then(() => 'read', reasonOf)

test('given a file, when it is read, then the result has its bytes and times', async (t) => {
  const path = join(await createFolder(t), 'a.gh')
  await writeFile(path, 'bytes')
  await utimes(path, 1_000_000.123, 1_000_000.123)
  const { bytes, stats } = await readStableFile(path)
  assert.equal(String(bytes), 'bytes')
  assert.deepEqual(stats, { sizeBytes: 5, mtimeMs: 1_000_000_123, birthtimeMs: 1_000_000_123 })
})

test('given a time before 1970 or far in the future, when the file is read, then the time is clamped to valid timestamps', {
  skip: process.platform === 'win32' && 'needs touch',
}, async (t) => {
  const path = join(await createFolder(t), 'a.gh')
  await writeFile(path, '')
  for (const date of ['1960-01-01T00:00:00Z', '2400-01-01T00:00:00Z', '@300000000000']) {
    execFileSync('touch', ['-d', date, path])
    const { stats } = await readStableFile(path)
    assert.ok(stats.mtimeMs >= 0 && stats.birthtimeMs <= stats.mtimeMs, date)
    assert.match(new Date(stats.mtimeMs).toISOString(), /^\d{4}-/)
  }
})

test('given a file above the limit, when it is read, then it is rejected before it takes memory', async (t) => {
  const path = join(await createFolder(t), 'a.gh')
  await writeFile(path, '')
  await truncate(path, MAX_FILE_BYTES + 1)
  assert.equal(await reasonFor(path), 'it is larger than 256 MB')
})

test('given a path that is not a regular file, when it is read, then it is rejected at once', {
  skip: process.platform === 'win32' && 'there are no such files on this system',
}, async (t) => {
  const folder = await createFolder(t)
  execFileSync('mkfifo', [join(folder, 'pipe.gh')])
  const server = createServer().listen(join(folder, 'socket.gh'))
  t.after(() => server.close())
  assert.equal(await reasonFor(join(folder, 'pipe.gh')), 'it is not a regular file')
  assert.equal(await reasonFor(join(folder, 'socket.gh')), 'it is not a regular file')
  assert.equal(await reasonFor('/dev/zero'), 'it is not a regular file')
  assert.equal(await reasonFor(folder), 'it is not a regular file')
  assert.equal(await reasonFor(join(folder, 'none.gh')), 'it does not exist')
})
