import assert from 'node:assert/strict'
import { lstat, mkdtemp, open, writeFile as put, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { writeFile } from './write-file.ts'

async function createFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'meadow-command-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

const HELLO = (write: (piece: Uint8Array) => Promise<void>) => write(Buffer.from('hello'))

test('[CLI-20] given a link to a file that is open and has no name any more, when it is written to, then the file has it, and the link stays', {
  skip: process.platform !== 'linux' && 'needs the open files of Linux as links',
}, async (t) => {
  // As /dev/stdout is, when the output goes to a file that was removed.
  const folder = await createFolder(t)
  await put(join(folder, 'gone'), 'old')
  await using file = await open(join(folder, 'gone'), 'r+')
  await rm(join(folder, 'gone'))
  const link = join(folder, 'link')
  await symlink(`/proc/self/fd/${file.fd}`, link)
  await writeFile(link, HELLO)
  assert.ok((await lstat(link)).isSymbolicLink())
  assert.equal(String(await readFile(link)), 'hello')
})

test('[CLI-20] given a link to where there is no file yet, when it is written to, then the file is there, and the link stays', async (t) => {
  const folder = await createFolder(t)
  await symlink('real', join(folder, 'link'))
  await writeFile(join(folder, 'link'), HELLO)
  assert.equal(await readlink(join(folder, 'link')), 'real')
  assert.equal(String(await readFile(join(folder, 'real'))), 'hello')
})
