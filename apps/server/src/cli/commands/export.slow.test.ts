import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { readDefinition } from '@meadow/grasshopper'
import { readArchiveVersion, walkModel } from '@meadow/model'
import { sha256 } from '../../features/exports/testing/start-exports.ts'
import { givenDocuments } from '../../features/solves/testing/given-solves.ts'
import { points } from '../../features/solves/testing/graphs.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'

/** The operator's command over a document that is solved, and one that never was. */
async function open(t: TestContext) {
  const commandLine = await createCommandLine(t)
  const database = await openDatabase({ dataDir: commandLine.dataDir })
  const { documents } = await givenDocuments(database, 100, [points(), points()])
  await database.close()
  const [solved, never] = documents.map(({ id }): string => id) as [string, string]
  const worker = commandLine.start('work')
  await commandLine.json('solve', solved, '--wait')
  worker.kill('SIGKILL')
  await worker.finished
  return { ...commandLine, solved, never, folder: await createFolder(t) }
}

describe('exports', { skip: noLauncher }, () => {
  test('[CLI-20] given a solved document, when it is exported, then the file is at its path, and its properties are reported', async (t) => {
    const { json, run, solved, folder } = await open(t)
    const path = join(folder, 'model.3dm')
    for (const [version, modelerVersion, archiveVersion] of [
      [['--modeler-version', '7'], 7, 7],
      [[], 9, 8],
    ] as const) {
      const reported = await json('export', solved, '--format', '.3dm', ...version, '-o', path)
      const bytes = await readFile(path)
      const { solutionId, ...rest } = reported
      assert.match(solutionId, /^sol_/)
      assert.deepEqual(rest, {
        documentId: solved,
        format: '.3dm',
        modelerVersion,
        archiveVersion,
        fileName: 'Document 0.3dm',
        size: bytes.length,
        sha256: sha256(bytes),
        warnings: [],
        file: path,
      })
      assert.equal(readArchiveVersion(bytes), archiveVersion * 10)
      assert.equal([...walkModel(bytes)].length, 3)
    }
    const { code, stdout, stderr } = await run(
      'export',
      solved,
      '--format',
      '.gh',
      '-o',
      join(folder, 'a.gh'),
    )
    assert.deepEqual([code, stdout], [0, `${join(folder, 'a.gh')}\n`])
    assert.match(stderr, /^Wrote [\d,]+ bytes\.\n$/)
    const { nodes } = readDefinition(await readFile(join(folder, 'a.gh'))).content
    assert.equal(Object.keys(nodes).length, Object.keys(points().nodes).length)
    assert.deepEqual((await readdir(folder)).sort(), ['a.gh', 'model.3dm'])
  })

  test('[CLI-6, CLI-20] given standard output, a pipe or a link, when it is exported there, then the same bytes', async (t) => {
    const { shell, solved, folder } = await open(t)
    await writeFile(join(folder, 'real.3dm'), 'old')
    await symlink('real.3dm', join(folder, 'link.3dm'))
    const line = `cd "$2" && meadow-server export "$1" --format .3dm -o - > out.3dm &&
      meadow-server export "$1" --format .3dm -o link.3dm && mkfifo pipe &&
      { meadow-server export "$1" --format .3dm -o pipe & cat pipe > piped.3dm; wait; } &&
      meadow-server export "$1" --format .3dm -o - | head -c 5 && test -L link.3dm && test -p pipe`
    const { code, stdout, stderr } = await shell(line, solved, folder)
    assert.deepEqual([code, stdout.slice(-5)], [0, '3D Ge'], stderr)
    const [out, ...others] = await Promise.all(
      ['out.3dm', 'real.3dm', 'piped.3dm'].map((name) => readFile(join(folder, name))),
    )
    assert.equal(readArchiveVersion(out!), 80)
    for (const other of others) assert.ok(other.equals(out!))
  })

  test('[CLI-3, CLI-4, CLI-20] given what cannot be exported or written, then one sentence, and what was there stays', async (t) => {
    const { run, solved, never, folder } = await open(t)
    await mkdir(join(folder, 'sub'))
    await writeFile(join(folder, 'kept.3dm'), 'kept')
    const path = join(folder, 'kept.3dm')
    const cases: [number, RegExp, string[]][] = [
      [1, /has never been solved/, [never, '--format', '.3dm', '-o', path]],
      [1, /There is no document "nothing"/, ['nothing', '--format', '.3dm', '-o', path]],
      [1, /is a folder: name a file/, [solved, '--format', '.3dm', '-o', join(folder, 'sub')]],
      [
        1,
        /cannot be used: it does not exist/,
        [solved, '--format', '.3dm', '-o', join(folder, 'no', 'a.3dm')],
      ],
      [2, /Allowed choices are \.gh, \.3dm/, [solved, '--format', '3dm', '-o', path]],
      [2, /Allowed choices are 7, 8, 9/, [solved, '--format', '.3dm', '--modeler-version', '07', '-o', path]],
      [
        2,
        /applies to "--format \.3dm" only/,
        [solved, '--format', '.gh', '--modeler-version', '8', '-o', path],
      ],
      [2, /'-o, --output <file>' not specified/, [solved, '--format', '.gh']],
      [2, /both write to standard output/, [solved, '--format', '.gh', '-o', '-', '--json']],
    ]
    for (const [expected, sentence, args] of cases) {
      const { code, stdout, stderr } = await run('export', ...args)
      assert.deepEqual([code, stdout], [expected, ''], args.join(' '))
      assert.match(stderr, sentence)
      assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
    }
    assert.equal(String(await readFile(path)), 'kept')
    assert.deepEqual((await readdir(folder)).sort(), ['kept.3dm', 'sub'])
  })

  test('[CLI-21] given the command, when the key of links is rotated, then it says what became of those that exist', async (t) => {
    const { run, json } = await createCommandLine(t)
    await json('team', 'create', 'Acme')
    assert.match(
      (await run('links', 'rotate-key')).stdout,
      /new key. Links that exist work until they expire/,
    )
    assert.deepEqual(await json('links', 'rotate-key', '--end-links'), { rotated: true, endedLinks: true })
  })
})
