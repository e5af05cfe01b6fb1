import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  buildChunk,
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
  buildPort,
} from '../../../../packages/grasshopper/src/testing/build-archive.ts'
import { createMeadowCommand } from '../testing/run-meadow.ts'
import { createFolder } from '../testing/start-meadow.ts'

const NO_GIT: string | false = (() => {
  try {
    execFileSync('git', ['--version'])
    return false
  } catch {
    return 'git is not on this machine'
  }
})()

const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const slider = (id: number, value: number) =>
  buildObject({
    ...{ guid: SLIDER, id, name: 'Number Slider', nickName: `Slider ${id}` },
    container: [
      buildChunk('Attributes', [buildItem('drawing_pointf', 'Pivot', { x: id, y: 0 })]),
      buildChunk('Slider', [buildItem('double', 'Value', value)]),
    ],
  })
const box = (...senders: number[]) =>
  buildObject({
    guid: buildId(7),
    id: 90,
    name: 'Box',
    container: [buildPort('param_input', 0, 91, { senders })],
  })
const tower = (first: number, second: number, ...senders: number[]) =>
  buildDefinition([slider(1, first), slider(2, second), box(...senders)])

/** A repository in a folder whose name has a space and a quote, with the drivers installed. */
async function createRepository(t: TestContext, ...install: string[]) {
  const { start, home } = await createMeadowCommand(t, { GIT_CONFIG_NOSYSTEM: '1' })
  const folder = join(await createFolder(t), "ours' and 100% theirs")
  await mkdir(folder)
  const meadow = (...args: string[]) => start('meadow', args, { cwd: folder }).finished
  const git = async (...args: string[]) => {
    const { code, stdout, stderr } = await start('git', args, { cwd: folder }).finished
    return { code, stdout, stderr }
  }
  const must = async (...args: string[]) => {
    const { code, stdout, stderr } = await git(...args)
    assert.equal(code, 0, `git ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  await must('init', '--quiet', '--initial-branch=main', '.')
  await must('config', 'user.email', 'ann@example.org')
  await must('config', 'user.name', 'Ann')
  if (install.length > 0) {
    const { code, stderr } = await meadow(...install)
    assert.equal(code, 0, stderr)
  }
  const file = join(folder, 'Tower one.gh')
  const write = (bytes: Uint8Array) => writeFile(file, bytes)
  const read = () => readFile(file)
  const commit = async (bytes: Uint8Array, message: string) => {
    await write(bytes)
    await must('add', '--all')
    await must('commit', '--quiet', '--message', message)
  }
  /** A branch with theirs, and main with ours, from a common base. */
  const diverge = async (base: Uint8Array, ours: Uint8Array, theirs: Uint8Array) => {
    await commit(base, 'base')
    await must('checkout', '--quiet', '-b', 'theirs')
    await commit(theirs, 'theirs')
    await must('checkout', '--quiet', 'main')
    await commit(ours, 'ours')
  }
  return { start, home, folder, file, meadow, git, must, write, read, commit, diverge }
}

const same = (actual: Uint8Array, expected: Uint8Array) => assert.ok(Buffer.from(actual).equals(expected))
/** What Grasshopper reads of a file, whatever its compression. */
const textOf = async (meadow: (...args: string[]) => Promise<{ stdout: string }>, file: string) =>
  (await meadow('text', '--reading', file)).stdout

test('[CMD-51] given definitions in git, when shown and compared, then diffs name objects and values', {
  skip: NO_GIT,
}, async (t) => {
  const { commit, must } = await createRepository(t, 'git', 'install')
  await commit(tower(5, 6, 1), 'one')
  await commit(tower(7, 6, 1, 2), 'two')
  for (const args of [
    ['diff', 'HEAD~1'],
    ['log', '-p', '-1'],
    ['show', '--ext-diff'],
  ]) {
    const shown = await must(...args)
    assert.match(shown, /^- +Slider \{ Value = 5\.0 \}\n\+ +Slider \{ Value = 7\.0 \}$/m)
    assert.match(shown, /^\+ +Source\[\] = .*# <- Number Slider "Slider 2"$/m)
    assert.match(
      shown,
      /^@@ .* @@ +object .*# Number Slider "Slider 1"|^ +object .*# Number Slider "Slider 1"/m,
    )
  }
})

test('[CMD-52] given branches with changes of different facts, when merged, then the file has both', {
  skip: NO_GIT,
}, async (t) => {
  const { diverge, must, meadow, file, folder } = await createRepository(t, 'git', 'install')
  await diverge(tower(5, 6, 1), tower(7, 6, 1), tower(5, 8, 1, 2))
  await must('merge', '--quiet', '--no-edit', 'theirs')
  await writeFile(join(folder, 'expected.gh'), tower(7, 8, 1, 2))
  assert.equal(await textOf(meadow, file), await textOf(meadow, 'expected.gh'))
})

test('[CMD-53] given branches with two values of one fact, when merged, then ours stays, the conflict is named, and resolve takes a side', {
  skip: NO_GIT,
}, async (t) => {
  const { diverge, git, must, meadow, file, folder, read } = await createRepository(t, 'git', 'install')
  await diverge(tower(5, 6), tower(7, 6, 1), tower(8, 9))
  const merged = await git('merge', '--no-edit', 'theirs')
  assert.equal(merged.code, 1)
  assert.match(
    merged.stderr,
    /Number Slider "Slider 1" \(.*\), Container\/Slider\/Value: it was 5\.0, we made it 7\.0, they made it 8\.0/,
  )
  same(await read(), tower(7, 6, 1))
  assert.match(await readFile(`${file}.conflicts.txt`, 'utf8'), /Slider\/Value/)
  const resolved = await meadow('git', 'resolve', '--theirs', file, '--json')
  assert.equal(resolved.code, 0, resolved.stderr)
  assert.equal(JSON.parse(resolved.stdout).side, 'theirs')
  await writeFile(join(folder, 'expected.gh'), tower(8, 9, 1))
  assert.equal(await textOf(meadow, file), await textOf(meadow, 'expected.gh'))
  assert.ok(!(await readdir(folder)).some((name) => /conflicts|part/.test(name)))
  await must('add', 'Tower one.gh')
  await must('commit', '--quiet', '--no-edit')
})

test('[CMD-55] given a merge driver that is killed, when the merge is made again, then no file was half written', {
  skip: NO_GIT,
}, async (t) => {
  const { diverge, start, git, must, folder, read } = await createRepository(t, 'git', 'install')
  await diverge(tower(5, 6, 1), tower(7, 6, 1), tower(5, 8, 1))
  await must('config', 'merge.meadow.driver', 'kill -9 $$')
  const { child, finished } = start('git', ['merge', '--no-edit', 'theirs'], { cwd: folder })
  child.stdout.resume()
  assert.notEqual((await finished).code, 0)
  same(await read(), tower(7, 6, 1))
  await must('merge', '--abort')
  await git('config', '--unset-all', 'merge.meadow.driver')
  assert.equal(await must('status', '--porcelain'), '')
})

test('[CMD-56] given git install, when it is called again, uninstalled, or other settings are there, then it says what it did, and leaves theirs', {
  skip: NO_GIT,
}, async (t) => {
  const { meadow, must, git, folder } = await createRepository(t)
  const attributes = join(folder, '.gitattributes')
  await writeFile(attributes, '*.3dm binary')
  const install = async (...more: string[]) => {
    const { code, stdout, stderr } = await meadow('git', 'install', ...more, '--json')
    return { code, stderr, changes: code === 0 ? (JSON.parse(stdout).changes as { change: string }[]) : [] }
  }
  const kinds = ({ changes }: { changes: { change: string }[] }) => [
    ...new Set(changes.map(({ change }) => change)),
  ]
  assert.deepEqual(kinds(await install()), ['added'])
  assert.deepEqual(kinds(await install()), ['unchanged'])
  assert.match(
    await readFile(attributes, 'utf8'),
    /^\*\.3dm binary\n# meadow.*\n\*\.gh diff=meadow merge=meadow\n/,
  )
  const status = JSON.parse((await meadow('git', 'status', '--json')).stdout).places[0]
  assert.deepEqual([status.diff, status.merge, status.isThisCommand], [true, true, true])
  assert.equal((await meadow('git', 'uninstall')).code, 0)
  assert.equal(await readFile(attributes, 'utf8'), '*.3dm binary\n')
  assert.equal((await git('config', '--get-regexp', 'meadow')).stdout, '')

  await must('config', 'diff.meadow.textconv', 'cat')
  await appendFile(attributes, '*.gh filter=lfs diff=lfs merge=lfs -text\n')
  const refused = await install()
  assert.equal(refused.code, 2)
  assert.match(
    refused.stderr,
    /Nothing was changed.*diff\.meadow\.textconv is \\"cat\\".*filter=lfs.*--force/,
  )
  assert.equal(await must('config', 'diff.meadow.textconv'), 'cat\n')
  assert.equal((await git('config', 'merge.meadow.driver')).code, 1)
  assert.equal((await install('--force')).code, 0)
})

test('[CMD-56] given git install --global, when called in any folder, then the settings are the user’s', {
  skip: NO_GIT,
}, async (t) => {
  const { home, start } = await createMeadowCommand(t)
  const run = (...args: string[]) =>
    start('meadow', args, { cwd: home, env: { XDG_CONFIG_HOME: join(home, 'settings') } }).finished
  const outside = await run('git', 'install')
  assert.deepEqual([outside.code, /in no working tree of git/.test(outside.stderr)], [2, true])
  const { code, stderr } = await run('git', 'install', '--global')
  assert.equal(code, 0, stderr)
  assert.match(
    await readFile(join(home, 'settings/git/attributes'), 'utf8'),
    /\*\.ghx diff=meadow merge=meadow/,
  )
})

test('[CMD-50] given a definition, when its text is printed or written, then it has its facts; what is no definition is named', async (t) => {
  const { run, runWith, home } = await createMeadowCommand(t)
  const [file, text] = [join(home, 'a.gh'), join(home, 'a.txt')]
  await writeFile(file, tower(5, 6, 1))
  const printed = await run('text', file)
  assert.match(printed.stdout, /^meadow-text 1\n[\s\S]*Value = 5\.0/)
  assert.equal((await run('text', file, '-o', text)).code, 0)
  assert.equal(await readFile(text, 'utf8'), printed.stdout)
  assert.match(
    (await runWith({ input: 'hello' }, 'text', '-')).stderr,
    /not a Grasshopper archive|ends too early/,
  )
})
