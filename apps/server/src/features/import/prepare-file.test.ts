import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { reasonOf } from '../../platform/system-errors.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { OUTSIDE } from './open-below.ts'
import { MAX_FILE_BYTES, readStableFile } from './prepare-file.ts'

const reasonFor = (path: string) => readStableFile(dirname(path), path).then(() => 'read', reasonOf)

test('given a file, when it is read, then the result has its bytes and times', async (t) => {
  const path = join(await createFolder(t), 'a.gh')
  await writeFile(path, 'bytes')
  await utimes(path, 1_000_000.123, 1_000_000.123)
  const { bytes, stats } = await readStableFile(dirname(path), path)
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
    const { stats } = await readStableFile(dirname(path), path)
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

test('[IMP-10] given links to files, when they are read, then only those to files below the root are', async (t) => {
  const folder = await createFolder(t, {
    'outside/secret.gh': 'secret',
    'root/real/a.gh': 'ours',
    'root2/b.gh': 'theirs',
  })
  const root = join(folder, 'root')
  for (const [name, target] of Object.entries({
    'in.gh': 'real/a.gh',
    'absolute.gh': join(root, 'real', 'a.gh'),
    'out.gh': '../outside/secret.gh',
    'beside.gh': '../root2/b.gh',
    'twice.gh': 'out.gh',
    folder: '../outside',
    'process.gh': '/proc/self/environ',
  }))
    await symlink(target, join(root, name))
  const read = (path: string) =>
    readStableFile(root, join(root, path)).then(({ bytes }) => String(bytes), reasonOf)
  assert.equal(await read('in.gh'), 'ours')
  assert.equal(await read('absolute.gh'), 'ours')
  for (const path of ['out.gh', 'beside.gh', 'twice.gh', 'folder/secret.gh'])
    assert.equal(await read(path), OUTSIDE, path)
  if (process.platform === 'linux') assert.equal(await read('process.gh'), OUTSIDE)
})

test('[IMP-10] given names that look like drives of Windows, when the files are read, then they are below the root', {
  skip: process.platform === 'win32' && 'files cannot have such names on this system',
}, async (t) => {
  const root = await createFolder(t, { 'a:b.gh': 'a', 'C:\\x.gh': 'b', '\\y.gh': 'c', '..z.gh': 'd' })
  const read = (path: string) => readStableFile(root, join(root, path)).then(({ bytes }) => String(bytes))
  assert.deepEqual(await Promise.all(['a:b.gh', 'C:\\x.gh', '\\y.gh', '..z.gh'].map(read)), [
    'a',
    'b',
    'c',
    'd',
  ])
})

test('[IMP-10] given a folder that is swapped for a link all the time, when a file in it is read, then it is never one from outside', async (t) => {
  const folder = await createFolder(t, { 'outside/a.gh': 'secret', 'root/a/a.gh': 'ours' })
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')]
  await mkdir(join(root, 'kept'))
  let isOver = false
  const swap = async () => {
    while (!isOver) {
      await rename(join(root, 'a'), join(root, 'kept', 'a'))
      await symlink(outside, join(root, 'a'))
      await rm(join(root, 'a'))
      await rename(join(root, 'kept', 'a'), join(root, 'a'))
    }
  }
  const swapping = swap()
  const seen = new Set<string>()
  try {
    for (let i = 0; i < 2000; i++)
      seen.add(
        await readStableFile(root, join(root, 'a', 'a.gh')).then(({ bytes }) => String(bytes), reasonOf),
      )
  } finally {
    isOver = true
    await swapping
  }
  assert.ok(!seen.has('secret'), [...seen].join(', '))
})
