import assert from 'node:assert/strict'
import { lstat, open, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createFolder } from '../../testing/definition-folder.ts'
import { writeFile } from './write-file.ts'

const HELLO = (write: (piece: Uint8Array) => Promise<void>) => write(Buffer.from('hello'))

test('[CLI-20] given a link to a file that is open and has no name any more, when it is written to, then the file has it, and the link stays', {
  skip: process.platform !== 'linux' && 'needs the open files of Linux as links',
}, async (t) => {
  // As /dev/stdout is, when the output goes to a file that was removed.
  const folder = await createFolder(t, { gone: 'old' })
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
