import assert from 'node:assert/strict'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { createCommandLine, noLauncher, type Running } from '../../testing/meadow-server.ts'

async function start(
  t: TestContext,
  files: Record<string, string | Uint8Array> = { 'a.gh': createDefinitionFile() },
) {
  const commandLine = await createCommandLine(t)
  const { id: team } = await commandLine.json('team', 'create', 'Acme')
  const outer = await createFolder(
    t,
    Object.fromEntries(Object.entries(files).map(([path, content]) => [`files/${path}`, content])),
  )
  return { ...commandLine, team: team as string, outer, path: join(outer, 'files') }
}

/** Waits until the line about a change is printed, which is the last one of this path and outcome. */
const changed = (child: Running, path: string, outcome: string) =>
  child.wrote('stdout', `"event":"file","path":"${path}","outcome":"${outcome}"`)

const watching = (child: Running) => child.wrote('stdout', '"event":"watching"')

const linesOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('mirrors', { skip: noLauncher }, () => {
  test('[CLI-30] given a folder, when it is registered, run, listed and removed, then its state, its runs and its exit codes are those of imports', async (t) => {
    const { run, json, team, path } = await start(t)
    const { id, ...added } = await json('mirror', 'add', path, '--team', team, '--gone', 'bin')
    assert.deepEqual([added.name, added.path, added.gone, added.onConflict], ['files', path, 'bin', 'keep'])
    const again = await run('mirror', 'add', path, '--team', team)
    assert.deepEqual([again.code, /give each mirror a folder of its own/.test(again.stderr)], [1, true])
    const state = async () => (await json('mirror', 'list', '--team', team)).mirrors[0].state
    assert.equal(await state(), 'new')

    const planned = await json('mirror', 'run', id, '--dry-run')
    assert.deepEqual([planned.mirrors[0].created, planned.mirrors[0].dryRun], [1, true])
    assert.equal(await state(), 'new')
    const first = await json('mirror', 'run', id)
    assert.deepEqual([first.mirrors[0].id, first.mirrors[0].created], [id, 1])
    assert.equal(await state(), 'fine')

    await writeFile(join(path, 'broken.gh'), '')
    const partial = await run('mirror', 'run', '--all')
    assert.equal(partial.code, 1)
    assert.match(partial.stderr, /! files: broken\.gh was not imported: The file is empty\./)
    assert.match(partial.stdout, /^files, .*files\nFiles: 2 in .*1 unchanged, 1 failed/)
    assert.equal(await state(), 'partial')

    await rename(path, `${path} away`)
    const failed = await run('mirror', 'run', id, '--json')
    assert.equal(failed.code, 1)
    assert.equal(JSON.parse(failed.stdout).mirrors[0].error, `"${path}" cannot be used: it does not exist.`)
    const { mirrors } = await json('mirror', 'list')
    assert.deepEqual(
      [mirrors[0].state, mirrors[0].lastRun.reason],
      ['failed', `"${path}" cannot be used: it does not exist.`],
    )

    assert.equal((await run('mirror', 'remove', id)).code, 0)
    assert.deepEqual((await json('mirror', 'list')).mirrors, [])
    const missing = await run('mirror', 'run', id)
    assert.deepEqual([missing.code, /There is no mirror "mir_/.test(missing.stderr)], [1, true])
    assert.equal((await run('mirror', 'run')).code, 2)
    assert.equal((await run('mirror', 'run', '--all', '--poll', '5')).code, 2)
  })

  test('[CLI-31] given a folder that is followed, when files are saved, moved and deleted, then there is a line for each change, and Ctrl-C ends it', async (t) => {
    const {
      start: startChild,
      team,
      path,
      json,
    } = await start(t, {
      'Tower.gh': createDefinitionFile({ text: 'one' }),
      'broken.gh': '',
    })
    const child = startChild('import', path, '--team', team, '--watch', '--gone', 'bin', '--json')
    await watching(child)
    await writeFile(join(path, 'Tower.tmp'), createDefinitionFile({ text: 'two' }))
    await rename(join(path, 'Tower.gh'), join(path, 'Tower.bak'))
    await rename(join(path, 'Tower.tmp'), join(path, 'Tower.gh'))
    await changed(child, 'Tower.gh', 'updated')
    await rename(join(path, 'Tower.gh'), join(path, 'Spire.gh'))
    await changed(child, 'Spire.gh', 'moved')
    await rm(join(path, 'Spire.gh'))
    await changed(child, 'Spire.gh', 'gone')
    child.kill('SIGINT')
    const { code, stdout, stderr } = await child.finished
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    const lines = linesOf(stdout)
    const files = lines.filter(({ event }) => event === 'file')
    assert.deepEqual(files.map((line) => [line.path, line.outcome]).sort(), [
      ['Spire.gh', 'gone'],
      ['Spire.gh', 'moved'],
      ['Tower.gh', 'created'],
      ['Tower.gh', 'updated'],
      // It fails in each run, which is told once.
      ['broken.gh', 'failed'],
    ])
    assert.ok(lines.every(({ at }) => new Date(at).toISOString() === at))
    assert.equal(lines.at(-1).event, 'stopped')
    const documents = new Set(files.flatMap(({ documentId }) => documentId ?? []))
    assert.equal(documents.size, 1)
    const again = await json('import', path, '--team', team, '--dry-run').catch((error) => error)
    assert.match(String(again), /ended with 1/)
  })

  test('[CLI-31] given text output and polling, when a file is saved, then the line has the time, the path and what happened', async (t) => {
    const { start: startChild, team, path } = await start(t)
    const child = startChild('import', path, '--team', team, '--watch', '--poll', '0.1')
    await child.wrote('stdout', 'looking every 0.1 seconds. Ctrl-C stops.')
    await writeFile(join(path, 'b.gh'), createDefinitionFile())
    await child.wrote('stdout', 'b.gh  new')
    child.kill('SIGTERM')
    const { code, stdout } = await child.finished
    assert.equal(code, 0)
    assert.match(stdout, /^\d\d:\d\d:\d\d {2}b\.gh {2}new \(doc_\w+\)$/m)
  })

  test('[CLI-32] given a mirror that is followed, when its folder is away for a while, then this is told once, nothing is put into the bin, and it goes on', async (t) => {
    const { start: startChild, json, team, path, outer } = await start(t)
    const { id } = await json('mirror', 'add', path, '--team', team, '--gone', 'bin')
    const child = startChild('mirror', 'run', id, '--watch', '--json')
    await watching(child)
    assert.equal((await json('mirror', 'list')).mirrors[0].isWatched, true)
    await rename(path, join(outer, 'away'))
    await child.wrote('stdout', '"event":"waiting"')
    await rename(join(outer, 'away'), path)
    await child.wrote('stdout', '"event":"resumed"')
    await writeFile(join(path, 'b.gh'), createDefinitionFile({ text: 'b' }))
    await changed(child, 'b.gh', 'created')
    child.kill('SIGINT')
    const { code, stdout } = await child.finished
    assert.equal(code, 0)
    const lines = linesOf(stdout)
    assert.deepEqual(
      lines
        .filter(({ event }) => event === 'file')
        .map(({ path, outcome, mirror }) => [path, outcome, mirror]),
      [
        ['a.gh', 'created', id],
        ['b.gh', 'created', id],
      ],
    )
    assert.equal(lines.filter(({ event }) => event === 'waiting').length, 1)
    const { isWatched, state } = (await json('mirror', 'list')).mirrors[0]
    assert.deepEqual([isWatched, state], [false, 'fine'])
  })

  test('[CLI-33] given a process that follows a mirror and is killed, when another one is started, then it reads what changed meanwhile, and nothing twice', async (t) => {
    const { start: startChild, json, team, path } = await start(t)
    const { id } = await json('mirror', 'add', path, '--team', team)
    const first = startChild('mirror', 'run', id, '--watch', '--json')
    await watching(first)
    for (let index = 0; index < 20; index++)
      await writeFile(join(path, `new ${index}.gh`), createDefinitionFile({ text: `${index}` }))
    await first.wrote('stdout', '"path":"new')
    first.kill('SIGKILL')
    await first.finished
    await writeFile(join(path, 'a.gh'), createDefinitionFile({ text: 'changed' }))
    const second = startChild('mirror', 'run', id, '--watch', '--json')
    await changed(second, 'a.gh', 'updated')
    await watching(second)
    second.kill('SIGINT')
    assert.equal((await second.finished).code, 0)
    const summary = await json('import', path, '--team', team)
    assert.deepEqual([summary.created, summary.updated, summary.unchanged], [0, 0, 21])
  })
})
