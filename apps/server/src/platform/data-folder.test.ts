import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { changeTeam } from '../team/team-transaction.ts'
import { addCredits, findTeam } from '../team/teams.ts'
import { createFolder } from '../testing/definition-folder.ts'
import { createCommandLine } from '../testing/meadow-server.ts'
import { startServer } from '../testing/start-server.ts'
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

test('given a file at its path, then a sentence states it', async (t) => {
  const file = join(await createFolder(t, { data: '' }), 'data')
  assert.throws(() => ensureDataFolder(file), {
    message: `The data folder "${file}" cannot be used: something else has its name.`,
  })
})

/** The permissions of a data folder and of all that is in it, by path, in octal digits. */
async function modesOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true })
  const modes = await Promise.all(
    ['.', ...names].map(async (name) => {
      const { mode } = await stat(join(folder, name))
      return [name, (mode & 0o777).toString(8)] as const
    }),
  )
  return Object.fromEntries(modes)
}

const noModes = process.platform === 'win32' && 'permissions are others there'

test('[DATA-1] given a data folder that everybody can read, when a command and a server open it, then only its owner can, and no command writes there otherwise', {
  skip: noModes,
}, async (t) => {
  const umask = process.umask(0o022)
  t.after(() => process.umask(umask))
  const { json, run, dataDir } = await createCommandLine(t, {}, { empty: true })
  const team = await json('team', 'create', 'Acme')
  const made = await modesOf(dataDir)
  assert.equal(made['meadow.sqlite'], '600')
  // As older versions left it.
  const blobs = join(dataDir, 'blobs')
  await mkdir(join(blobs, 'ab'), { recursive: true })
  await writeFile(join(dataDir, 'session-secret'), 'x'.repeat(40))
  for (const name of ['.', 'blobs', 'blobs/ab']) await chmod(join(dataDir, name), 0o755)
  for (const name of ['meadow.sqlite', 'session-secret']) await chmod(join(dataDir, name), 0o644)
  const { stderr } = await run('team', 'list')
  assert.match(
    stderr,
    /^.*Other users of this machine could read what is in the data folder ".+". From now on only its owner can.+change the passwords/,
  )
  assert.equal((await run('team', 'list')).stderr, '')
  const closed = await modesOf(dataDir)
  for (const name of ['.', 'blobs']) assert.equal(closed[name], '700', name)
  for (const name of ['meadow.sqlite', 'session-secret']) assert.equal(closed[name], '600', name)

  await chmod(dataDir, 0o755)
  const { database, service } = await startServer(t, { MEADOW_DATA_DIR: dataDir })
  await changeTeam(database, (await findTeam(database.read, team.id))!.key, (change) => addCredits(change, 1))
  const { digest } = await service.blobs.put(Buffer.from('a definition'))
  const served = await modesOf(dataDir)
  assert.ok('meadow.sqlite-wal' in served && 'meadow.sqlite-shm' in served)
  for (const [name, mode] of Object.entries(served)) {
    const isFolder = (await stat(join(dataDir, name))).isDirectory()
    if (name !== join('blobs', 'ab')) assert.equal(mode, isFolder ? '700' : '600', name)
  }
  assert.ok(join('blobs', digest.slice(0, 2), digest) in served)
})

test('[DATA-1] given a folder of everybody, such as /tmp, when it holds the data, then it is left as it is, and that is reported', {
  skip: noModes,
}, async (t) => {
  const folder = await createFolder(t)
  await chmod(folder, 0o1777)
  const said: string[] = []
  ensureDataFolder(folder, (sentence) => said.push(sentence))
  assert.equal(said.length, 1)
  assert.ok(said[0]!.startsWith(`"${folder}" can be read by other users of this machine`))
  assert.equal((await stat(folder)).mode & 0o7777, 0o1777)
})

test('[DATA-1] given a new folder that everybody may enter, when it becomes a data folder, then it is closed without a word, since nothing was in it', {
  skip: noModes,
}, async (t) => {
  const folder = await createFolder(t)
  await chmod(folder, 0o755)
  ensureDataFolder(folder, (sentence) => assert.fail(sentence))
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
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
