import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createFolder } from '../testing/definition-folder.ts'
import { ensureDataFolder } from './data-folder.ts'

test('given a folder that is not there, then it is made, with those above it', async (t) => {
  const folder = join(await createFolder(t), 'a/b')
  ensureDataFolder(folder)
  assert.ok((await stat(folder)).isDirectory())
})

test('given a folder that this user cannot write to, then a sentence says what to do', {
  skip: process.platform === 'win32' && 'permissions are others there',
}, async (t) => {
  const folder = await createFolder(t)
  await chmod(folder, 0o555)
  assert.equal(
    ensureWithoutPrivileges(folder),
    `The data folder "${folder}" cannot be used: permission denied. ` +
      'Let this user write there, or set MEADOW_DATA_DIR to another folder.',
  )
})

test('given a file in its place, then a sentence says so', async (t) => {
  const file = join(await createFolder(t, { data: '' }), 'data')
  assert.throws(() => ensureDataFolder(file), {
    message: `The data folder "${file}" cannot be used: something else has its name.`,
  })
})

/** What it says to a user who is not the administrator: for that one, permissions do not hold. */
function ensureWithoutPrivileges(folder: string): string {
  const module = JSON.stringify(new URL('./data-folder.ts', import.meta.url))
  const script = `
    import(${module}).then(({ ensureDataFolder }) => {
      if (process.getuid() === 0) process.setuid(65534)
      try {
        ensureDataFolder(${JSON.stringify(folder)})
      } catch (error) {
        console.log(error.message)
      }
    })`
  return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim()
}
