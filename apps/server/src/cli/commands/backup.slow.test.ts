import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { watch } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openBlobs } from '../../platform/blobs/open-blobs.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'

/** The operator's command over a service with documents whose contents are blobs, and the folder of a target. */
async function givenService(t: TestContext, documents: number) {
  const commandLine = await createCommandLine(t)
  const database = await openDatabase({ dataDir: commandLine.dataDir })
  const blobs = await openBlobs({ kind: 'disk', folder: join(commandLine.dataDir, 'blobs') })
  const fixtures = await givenTeam(database)
  const digests: string[] = []
  for (let i = 0; i < documents; i++) {
    const { digest, size } = await blobs.put(randomBytes(20_000))
    digests.push(digest)
    await fixtures.document({ name: `Document ${i}`, content: { kind: 'blob', digest, size } })
  }
  await database.close()
  return { ...commandLine, blobs, digests, target: await createFolder(t) }
}

test('[BAK-9] given two moments, when they are listed, checked and chosen, then each is printed with what it has, and the chosen one is restored', async (t) => {
  const { json, run, target, dataDir } = await givenService(t, 2)
  const mistyped = await run('restore', join(target, 'mistyped'), '--list')
  assert.match(mistyped.stderr, /mistyped" cannot be used: it does not exist/)
  assert.deepEqual(await readdir(target), [])
  const elsewhere = await run('backup', 'https://example.org/backup')
  assert.equal(elsewhere.code, 2)
  assert.match(elsewhere.stderr, /The place of a backup must be a path, a folder such as file:/)
  const none = await run('restore', target)
  assert.equal(none.code, 1)
  assert.match(
    none.stderr,
    /There is no backup in file:\/\/\S+: no run of "meadow-server backup" to it has ended\./,
  )
  const first = await json('backup', target)
  await json('team', 'create', 'Second')
  const { code, stdout, stderr } = await run('backup', target)
  assert.equal(code, 0)
  assert.match(stdout, /^\d{8}t\d{6}z-[0-9a-f]{6}\n$/)
  assert.match(stderr, /^Saved 2 teams with 2 documents and 2 blobs; new: 0 \(0 bytes\)\.\n$/)
  const second = stdout.trim()
  const { moments } = await json('restore', target, '--list')
  assert.deepEqual(
    moments.map(({ id, teams, documents, blobs, faults }: Record<string, unknown>) => [
      id,
      teams,
      documents,
      blobs,
      faults,
    ]),
    [
      [second, 2, 2, 2, 0],
      [first.id, 1, 2, 2, 0],
    ],
  )
  const table = await run('restore', target, '--list')
  assert.match(table.stdout, new RegExp(`^moment .*\\n${second} .*\\n${first.id} `))
  const checked = await run('restore', target, '--check')
  assert.deepEqual([checked.code, checked.stdout], [0, `${second} is as it was saved.\n`])

  const refused = await run('restore', target)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /The database is not empty/)
  const unknown = await run('restore', target, '--moment', 'x')
  assert.match(
    unknown.stderr,
    /There is no moment "x"\. "meadow-server restore SOURCE --list" shows all moments\./,
  )
  const there = await createCommandLine(t, {}, { empty: true })
  assert.notEqual(there.dataDir, dataDir)
  const restored = await there.run('restore', target, '--moment', first.id)
  assert.deepEqual([restored.code, restored.stdout], [0, `${first.id}\n`])
  assert.match(restored.stderr, /What was revoked, removed or changed after that is as it was then/)
  assert.equal((await there.json('team', 'list')).teams.length, 1)
})

test('[BAK-8] given a blob that is missing, when the service is backed up, checked and restored, then each names it, does the rest, and ends with 1', async (t) => {
  const { run, target, blobs, digests } = await givenService(t, 2)
  await blobs.remove(digests[0]!)
  const saved = await run('backup', target)
  assert.equal(saved.code, 1)
  assert.match(
    saved.stderr,
    new RegExp(
      `The blob ${digests[0]} is missing\\.\\n! Missing or damaged, and not in the backup: 1 blob of`,
    ),
  )
  const checked = await run('restore', target, '--check')
  assert.deepEqual(
    [checked.code, checked.stdout.split(' ').slice(1).join(' ')],
    [1, 'is as it was saved, without 1 blob that was missing or damaged then.\n'],
  )
  const there = await createCommandLine(t, {}, { empty: true })
  const restored = await there.run('restore', target)
  assert.equal(restored.code, 1)
  assert.match(restored.stderr, new RegExp(`The blob ${digests[0]} is missing`))
  assert.equal((await there.json('team', 'list')).teams.length, 1)
})

test('[BAK-4] given a backup that is killed among its blobs, then there is no moment, and the next one saves all of them', {
  skip: noLauncher,
}, async (t) => {
  const { start, json, target } = await givenService(t, 150)
  const unfinished = join(target, 'unfinished')
  await mkdir(unfinished)
  const running = start('backup', target)
  // On some systems fewer changes are reported.
  await Promise.race([severalFiles(unfinished), running.finished])
  running.kill('SIGKILL')
  await running.finished
  const marks = await readdir(join(target, 'marks'))
  const wasKilled = !marks.some((name) => name.startsWith('moment-'))
  const saved = await json('backup', target)
  assert.equal(saved.blobs.copied + saved.blobs.present, 150)
  if (wasKilled) assert.ok(marks.some((name) => name.startsWith('running-')))
  const { parts, blobs } = await json('restore', target, '--check')
  assert.deepEqual([parts, blobs], [[], []])
})

/** Resolves after some files were begun there. */
async function severalFiles(folder: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const names = new Set<string | null>()
  const watcher = watch(folder, (_event, name) => {
    if (names.add(name).size === 60) resolve()
  })
  await promise
  watcher.close()
}
