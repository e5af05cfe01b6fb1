import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, rename, rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, type TestContext, test } from 'node:test'
import { createDefinitionFile, UNSOLVABLE_IDS } from '../../testing/definition-file.ts'
import { createFolder, putFile } from '../../testing/definition-folder.ts'
import { type CommandLine, createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { startServer } from '../../testing/start-server.ts'

async function start(t: TestContext, env?: Record<string, string>) {
  const commandLine = await createCommandLine(t, env)
  const team = await commandLine.json('team', 'create', 'Acme')
  return { ...commandLine, team: team.id as string }
}

/** Edited by hand: its first list of chunks announces another number than it has. */
const createMiscounted = (): string =>
  new TextDecoder()
    .decode(createDefinitionFile({ form: 'ghx' }))
    .replace(/<chunks count="\d+"/, '<chunks count="9"')

const GREEN = '\u001b[32m'
const CLEAR_LINE = '\u001b[K'

const createManyFiles = (t: TestContext, count: number): Promise<string> =>
  createFolder(
    t,
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`f${i % 5}/${i}.gh`, createDefinitionFile({ text: `${i}` })]),
    ),
  )

/**
 * Their results, a kilobyte each, are more than what fits into a pipe and into what is read of it at once, which is 64 KB
 * each. So a reader that acts on the first piece of output does so before the import has come to its end, however slow
 * they are: it has to wait for them.
 */
const TOO_MANY_TO_REPORT = 200
const LONG = 'long '.repeat(48)
const LONG_FOLDER = LONG.trim()

const createLongNames = (t: TestContext): Promise<string> =>
  createFolder(
    t,
    Object.fromEntries(
      Array.from({ length: TOO_MANY_TO_REPORT }, (_, i) => [
        join(LONG_FOLDER, LONG_FOLDER, LONG_FOLDER, `${LONG}${i}.gh`),
        createDefinitionFile(),
      ]),
    ),
  )

const countOf = async ({ run, team }: CommandLine & { team: string }, path: string) => {
  const { stdout } = await run('import', path, '--team', team, '--json')
  return JSON.parse(stdout)
}

/** Until it is disposed of, others can read the SQLite database there, and not write. */
function holdWriteLock(dataDir: string): DatabaseSync {
  const database = new DatabaseSync(join(dataDir, 'meadow.sqlite'), { timeout: 5000 })
  database.exec('begin immediate')
  return database
}

describe('import', { skip: noLauncher }, () => {
  test('[CLI-2] given --json, when a tree is imported, then one object states what became of each file, and the counts', async (t) => {
    const { run, team } = await start(t)
    const path = await createFolder(t, {
      'a.gh': createDefinitionFile({ danglingWire: true }),
      'b/empty.ghx': '',
      'c.ghx': createMiscounted(),
    })
    const { code, stdout, stderr } = await run('import', path, '--team', team, '--json')
    assert.deepEqual({ code, stderr }, { code: 1, stderr: '' })
    const { files, ...summary } = JSON.parse(stdout)
    const [first, second] = ['a.gh', 'b/empty.ghx'].map((path) =>
      files.find((file: { path: string }) => file.path === path),
    )
    assert.deepEqual(
      { ...first, documentId: typeof first.documentId },
      { path: 'a.gh', outcome: 'created', documentId: 'string', notes: first.notes, unsolvable: [] },
    )
    assert.equal(first.notes[0].kind, 'dropped_wire')
    assert.deepEqual(second, { path: 'b/empty.ghx', outcome: 'failed', reason: 'The file is empty' })
    assert.deepEqual(
      {
        created: summary.created,
        failed: summary.failed,
        interrupted: summary.interrupted,
        notes: summary.notes,
      },
      {
        created: 2,
        failed: 1,
        interrupted: false,
        notes: [
          { kind: 'dropped_wire', count: 1, files: 1 },
          {
            ...{ kind: 'miscounted', count: 1, files: 1 },
            examples: ['c.ghx: 9 chunks announced, 1 found (at Root, line 63)'],
          },
        ],
      },
    )
  })

  test('[CLI-1] [CLI-3] [CLI-8] given a file that cannot be read, when a tree is imported, then it is reported, and the code is 1', {
    skip: process.platform === 'win32' && 'names cannot be so there',
  }, async (t) => {
    const { run, team } = await start(t)
    const path = await createFolder(t, { 'a.gh': createDefinitionFile(), 'b\u001b[2J.gh': 'x' })
    const { code, stdout, stderr } = await run('import', path, '--team', team)
    assert.equal(code, 1)
    assert.match(stdout, /^Files: 2 in [\d.]+ s, of them 1 new, 0 updated, 0 unchanged, 1 failed\.\n$/)
    assert.match(stderr, /^! b\\u\{1b\}\[2J\.gh was not imported: \S.*\.\n$/)
    await rm(join(path, 'b\u001b[2J.gh'))
    await rm(join(path, 'a.gh'))
    const again = await run('import', path, '--team', team)
    assert.equal(again.code, 0)
    assert.match(again.stderr, /^! a\.gh is no longer in the folder\. Its document \(doc_\w+\) stays\.\n$/)
  })

  test('[IMP-23] given definitions with a script, a plug-in and a missing component, when they are imported, then the summary counts them, and --json lists them', async (t) => {
    const { run, team } = await start(t)
    const unsolvable = createDefinitionFile({ unsolvable: true })
    const path = await createFolder(t, {
      'a.gh': unsolvable,
      'b\u001b[2J.gh': unsolvable,
      'c.gh': createDefinitionFile(),
    })
    const { code, stdout } = await run('import', path, '--team', team)
    const import3dm = 'Import 3DM is not supported: it reads a file that is not in the document'
    assert.equal(code, 0)
    assert.deepEqual(stdout.split('\n').slice(1), [
      'Ports that the file leaves out, with the default of their kind: 6 in 2 definitions.',
      'Of the documents that were read, 2 cannot be solved whole: 6 nodes.',
      '',
      'Documents  Nodes  Not solved, most frequent first',
      '2          2      Scripts are not run',
      '2          2      Plug-in Robots 1.6.9',
      `2          2      ${import3dm}`,
      '',
      'Nodes  Document       Not solved',
      '3      a.gh           Scripts are not run; Plug-in Robots 1.6.9; 1 more',
      '3      b\\u{1b}[2J.gh  Scripts are not run; Plug-in Robots 1.6.9; 1 more',
      '',
    ])

    const other = await createFolder(t, { 'd.gh': unsolvable })
    const { files, unsolvable: summary } = await countOf(
      { run, team } as CommandLine & { team: string },
      other,
    )
    assert.deepEqual(files[0].unsolvable, [
      {
        nodeInstanceId: UNSOLVABLE_IDS.script,
        name: 'Layout',
        kind: 'script',
        reason: 'Scripts are not run',
      },
      {
        nodeInstanceId: UNSOLVABLE_IDS.plugin,
        name: 'Robot',
        kind: 'plugin',
        reason: 'Robot is not supported: it belongs to the plug-in Robots',
        library: { name: 'Robots', version: '1.6.9' },
      },
      { nodeInstanceId: UNSOLVABLE_IDS.import3dm, name: 'Import 3DM', kind: 'component', reason: import3dm },
    ])
    const causes = ['Scripts are not run', 'Plug-in Robots 1.6.9', import3dm]
    assert.deepEqual(summary, {
      documents: 1,
      nodes: 3,
      causes: causes.map((cause) => ({ cause, nodes: 1, documents: 1 })),
      worst: [{ path: 'd.gh', nodes: 3, causes }],
    })
  })

  test('given a missing path or team, when it is named, then a sentence states it', async (t) => {
    const { run, team } = await start(t)
    const folder = await createFolder(t, { 'plan.pdf': '' })
    const cases: [string[], RegExp][] = [
      [[join(folder, 'none'), '--team', team], /none" cannot be used: it does not exist\./],
      [[join(folder, 'plan.pdf'), '--team', team], /is neither a folder nor a file that is imported/],
      [[folder, '--team', 'nobody'], /There is no team "nobody"\./],
      [[folder, '--team', team, '--folder', 'nowhere'], /The team "Acme" has no folder "nowhere"\./],
    ]
    for (const [args, sentence] of cases) {
      const { code, stdout, stderr } = await run('import', ...args)
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
      assert.match(stderr, sentence)
    }
  })

  test('[CLI-11] given a running server, when a folder is imported into one of its folders, then it is served at once', async (t) => {
    const commandLine = await start(t)
    const { json, dataDir, team } = commandLine
    const run = (...args: string[]) => commandLine.start(...args).json()
    const { get } = await startServer(t, { MEADOW_DATA_DIR: dataDir })
    const { token } = await json('token', 'create', '--team', team, '--name', 'test')
    const read = async (path: string) => (await get(path, { token })).json
    assert.deepEqual((await read('/folders/root')).folder.folders, [])
    const tree = await createFolder(t)
    await mkdir(join(tree, 'Facades'))
    await json('import', tree, '--team', team)
    const [facades] = (await read('/folders/root')).folder.folders
    assert.equal(facades.name, 'Facades')
    const files = await createFolder(t, { 'Tower.gh': createDefinitionFile({ text: 'old' }) })
    await run('import', files, '--team', team, '--folder', facades.id, '--json')
    const [tower] = (await read(`/folders/${facades.id}`)).folder.documents
    assert.equal(tower.name, 'Tower')
    assert.ok(JSON.stringify(await read(`/documents/${tower.id}`)).includes('"old"'))
    await putFile(files, 'Tower.gh', createDefinitionFile({ text: 'new' }), Date.UTC(2025, 0, 1))
    await run('import', files, '--team', team, '--folder', facades.id, '--json')
    assert.ok(JSON.stringify(await read(`/documents/${tower.id}`)).includes('"new"'))
  })

  test('[IMP-18] given documents that an older reader made, when the tree is imported with --force, then they are read again', async (t) => {
    const { json, dataDir, team } = await start(t)
    const path = await createFolder(t, { 'a.gh': createDefinitionFile() })
    const count = async (...options: string[]) => {
      const { updated, unchanged } = await json('import', path, '--team', team, ...options)
      return { updated, unchanged }
    }
    await count()
    const database = new DatabaseSync(join(dataDir, 'meadow.sqlite'), { timeout: 5000 })
    database.exec(`update document_snapshot set content = cast('{"nodes":{}}' as blob)`)
    database.close()
    assert.deepEqual(await count(), { updated: 0, unchanged: 1 })
    assert.deepEqual(await count('--force'), { updated: 1, unchanged: 0 })
    assert.deepEqual(await count('--force'), { updated: 0, unchanged: 1 })
  })

  test('[CLI-6] given a reader that goes away, when a tree is imported, then it is imported all the same', async (t) => {
    const commandLine = await start(t)
    const path = await createManyFiles(t, 50)
    const child = commandLine.start('import', path, '--team', commandLine.team, '--json')
    await child.wrote('stdout')
    child.stopReading()
    const { code, stderr } = await child.finished
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.equal((await countOf(commandLine, path)).unchanged, 50)
  })

  test('[CLI-12] [IMP-14] given Ctrl-C, when a tree is being imported, then it ends in good order, and a second run does the rest', async (t) => {
    const commandLine = await start(t)
    const path = await createLongNames(t)
    const child = commandLine.start('import', path, '--team', commandLine.team, '--json')
    await child.wrote('stdout')
    child.kill('SIGINT')
    const { code, stdout, stderr } = await child.finished
    assert.deepEqual({ code, stderr }, { code: 130, stderr: '' })
    const { files, ...summary } = JSON.parse(stdout)
    assert.equal(summary.interrupted, true)
    assert.equal(files.length, summary.created)
    const rest = await countOf(commandLine, path)
    assert.deepEqual(
      { created: rest.created, unchanged: rest.unchanged },
      { created: TOO_MANY_TO_REPORT - summary.created, unchanged: summary.created },
    )
  })

  test('[CLI-3] [CLI-12] given an import that cannot end after the first signal, when a second one comes, then it ends at once', async (t) => {
    const commandLine = await start(t)
    const heavy = createDefinitionFile({ panels: 10_000 })
    const files = {
      ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`a/${i}.gh`, createDefinitionFile()])),
      'b.gh': 'x',
      ...Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`f/${i}.gh`, heavy])),
    }
    const path = await createFolder(t, files)
    const child = commandLine.start('import', path, '--team', commandLine.team)
    // By then most of the files before it have been read, and reading those after it takes seconds.
    await child.wrote('stderr', 'b.gh was not imported')
    // No other connection can write: what was read cannot be, and the import has to wait.
    using _ = holdWriteLock(commandLine.dataDir)
    child.kill('SIGINT')
    await child.wrote('stderr', 'Ctrl-C again: at once.')
    child.kill('SIGTERM')
    const { code, stdout } = await child.finished
    assert.deepEqual({ code, stdout }, { code: 143, stdout: '' })
  })

  test('[CLI-2] [CLI-4] [IMP-17] given a data folder that takes no file, when a tree is imported, then the reason names it, and the JSON is whole', async (t) => {
    const { run, team, dataDir } = await start(t)
    const file = createDefinitionFile()
    const path = await createFolder(t, { 'a.gh': file })
    // Reported before any file is stored.
    await symlink('nowhere', join(path, 'none.gh'))
    const digest = createHash('sha256').update(file).digest('hex')
    await putFile(dataDir, `blobs/${digest.slice(0, 2)}`, 'in the way of a folder')
    const { code, stdout, stderr } = await run('import', path, '--team', team, '--json')
    assert.equal(code, 1)
    const { error } = JSON.parse(stderr)
    assert.equal(
      error,
      `The data folder "${dataDir}" takes no more files: a part of its path is not a folder. ` +
        'Files that were finished before: 1. Run the command again to go on.',
    )
    const failed = { path: 'none.gh', outcome: 'failed', reason: 'it does not exist' }
    assert.deepEqual(JSON.parse(stdout), { files: [failed], error })
  })

  test('[IMP-13] given an import that is killed, when it is run again, then the result is whole', async (t) => {
    const commandLine = await start(t)
    const path = await createLongNames(t)
    const child = commandLine.start('import', path, '--team', commandLine.team, '--json')
    await child.wrote('stdout')
    child.kill('SIGKILL')
    await child.finished
    const { created, unchanged, failed } = await countOf(commandLine, path)
    assert.ok(created > 0, 'it was killed too late')
    assert.deepEqual({ all: created + unchanged, failed }, { all: TOO_MANY_TO_REPORT, failed: 0 })
    assert.equal((await countOf(commandLine, path)).unchanged, TOO_MANY_TO_REPORT)
  })

  test('[IMP-13, IMP-26] given a folder that was moved, when imports of it are killed, then in the end each file has the document that it had, once', async (t) => {
    const commandLine = await start(t)
    const path = await createLongNames(t)
    const idsOf = ({ files }: { files: { path: string; documentId: string }[] }) =>
      new Map(files.map((file) => [basename(file.path), file.documentId]))
    const before = idsOf(await countOf(commandLine, path))
    await mkdir(join(path, 'moved'))
    await rename(join(path, LONG_FOLDER), join(path, 'moved', LONG_FOLDER))
    for (let kill = 0; kill < 3; kill++) {
      const child = commandLine.start('import', path, '--team', commandLine.team, '--json')
      await child.wrote('stdout')
      child.kill('SIGKILL')
      await child.finished
    }
    const last = await countOf(commandLine, path)
    assert.deepEqual(
      { all: last.moved + last.unchanged, created: last.created, gone: last.gone },
      { all: TOO_MANY_TO_REPORT, created: 0, gone: 0 },
    )
    assert.deepEqual(idsOf(last), before)
  })

  test('[IMP-28, IMP-30, IMP-31] given files that were moved, deleted and left out, when the tree is imported as a dry run and then, then the plan and the summary say so', async (t) => {
    const { run, team } = await start(t)
    const path = await createFolder(t, {
      'a.gh': createDefinitionFile({ text: 'a' }),
      'b.gh': createDefinitionFile({ text: 'b' }),
      'plan.pdf': '',
      'c/site.3dmbak': '',
    })
    await run('import', path, '--team', team)
    await rename(join(path, 'a.gh'), join(path, 'c/a.gh'))
    await rm(join(path, 'b.gh'))
    const gone = ['import', path, '--team', team, '--gone', 'bin']
    const plan = await run(...gone, '--dry-run')
    assert.equal(plan.code, 0, plan.stderr)
    assert.match(
      plan.stdout,
      /^What {2}File {4}Why\nmove {2}c\/a\.gh {2}from a\.gh\nbin {3}b\.gh {4}its file is gone\n\nA dry run: nothing was written\./,
    )
    const { stdout, stderr } = await run(...gone)
    assert.match(
      stderr,
      /^! b\.gh is no longer in the folder\. Its document \(doc_\w+\) was put into the bin\.\n$/,
    )
    assert.match(
      stdout,
      /^Files: 1 in [\d.]+ s, of them 0 new, 0 updated, 1 moved, 0 unchanged, 0 failed\.$/m,
    )
    assert.match(stdout, /^Put into the bin, because their files are no longer in the folder: 1\.$/m)
    assert.match(
      stdout,
      /^Other files, left out: 2 \(\.3dmbak 1, \.pdf 1\), such as c\/site\.3dmbak and plan\.pdf\.$/m,
    )
    assert.equal((await run(...gone, '--max-gone', 'all')).code, 2)
    assert.equal((await run(...gone, '--dry-run', '--force')).code, 2)
  })

  test('[IMP-12] given two processes that import one tree, when both are done, then everything is there once', async (t) => {
    const commandLine = await start(t)
    const path = await createManyFiles(t, 60)
    const importAll = () => commandLine.start('import', path, '--team', commandLine.team, '--json').json()
    const [one, two] = await Promise.all([importAll(), importAll()])
    assert.equal(one.created + two.created, 60)
    assert.equal(one.foldersCreated + two.foldersCreated, 5)
    assert.equal(one.failed + two.failed, 0)
    assert.equal((await countOf(commandLine, path)).unchanged, 60)
  })

  test('[CLI-7] given a terminal, when a tree is imported, then a bar is drawn there, without colour if so wanted, and nowhere else', {
    skip: process.platform !== 'linux' && 'needs the script command of Linux',
  }, async (t) => {
    const commandLine = await start(t)
    const { shell, team } = commandLine
    if ((await shell('command -v script')).code !== 0) return t.skip('needs the script command')
    const path = await createManyFiles(t, 60)
    const line = `meadow-server import '${path}' --team ${team}`
    const onTerminal = await shell('TERM=xterm script -qec "$1" /dev/null', line)
    assert.match(onTerminal.stdout, /[█░]{24}.*\d+ of 60/)
    assert.ok(onTerminal.stdout.includes(GREEN))
    await rm(join(path, 'f1'), { recursive: true })
    const plain = await shell('NO_COLOR=1 TERM=xterm script -qec "$1" /dev/null', line)
    assert.match(plain.stdout, /! f1\/1\.gh is no longer/)
    assert.equal(plain.stdout.replaceAll(CLEAR_LINE, '').includes('\u001b'), false, plain.stdout)
    const piped = await shell('sh -c "$1" 2>&1', line)
    assert.ok(!piped.stdout.includes('\u001b'), piped.stdout)
  })
})
