import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { check } from './check.ts'
import { CheckError } from './config/check-error.ts'
import { findFiles } from './find-files.ts'
import { createCheckFolder, listFindings, listStatuses } from './testing/check-folder.ts'
import {
  addition,
  assertTrue,
  booleans,
  buildDefinition,
  buildId,
  cluster,
  division,
  numbers,
  oldMultiplication,
  plugin,
  pluginLibrary,
  script,
  series,
  slider,
  texts,
} from './testing/definitions.ts'

/** As it is where someone edited the file by hand. */
function withoutLastInput(object: ReturnType<typeof division>): ReturnType<typeof division> {
  const container = object.chunks[0]!
  container.chunks = container.chunks.filter(({ name, index }) => name !== 'param_input' || index !== 1)
  return object
}

const GOOD = buildDefinition([slider(1, 4, 'Height')])
const DIVIDED_BY_ZERO = [numbers(1, [1]), numbers(2, [0]), division(10, 1, 2)]

// Tests.

const holding = (...values: (boolean | null)[]) => buildDefinition([booleans(1, values), assertTrue(2, [1])])

test('[CHK-2] given tests, when every assert is true they pass, and otherwise they fail with the places that are not', async (t) => {
  const { check } = createCheckFolder(t, {
    'test_true.gh': holding(true, true),
    'test_false.gh': holding(true, false),
    'test_null.gh': holding(null),
    'TEST_Capital.GHX': holding(true),
    'test_no_asserts.gh': GOOD,
    'attest_false.gh': holding(false),
  })
  const report = await check()
  assert.deepEqual(listStatuses(report), {
    'TEST_Capital.GHX': 'passed',
    'attest_false.gh': 'ok',
    'test_false.gh': 'failed',
    'test_no_asserts.gh': 'passed',
    'test_null.gh': 'failed',
    'test_true.gh': 'passed',
  })
  assert.deepEqual(listFindings(report), [
    'test_false.gh error test-failed AT: It is false at {0}[1], of 2',
    'test_null.gh error test-failed AT: It is null at {0}[0], of 1',
  ])
  assert.equal(report.isOk, false)
  assert.deepEqual(report.counts.tests, { passed: 3, failed: 2, unknown: 0, skipped: 0 })
})

test('[CHK-2] given a test, when a component reports an error, then it fails, whatever its asserts are', async (t) => {
  const { check } = createCheckFolder(t, {
    'test_zero.gh': buildDefinition([...DIVIDED_BY_ZERO, booleans(30, [true]), assertTrue(31, [30])]),
    'test_warning.gh': buildDefinition([texts(1, ['no number']), numbers(2, [], { from: [1] })]),
  })
  const report = await check()
  assert.deepEqual(listStatuses(report), { 'test_warning.gh': 'passed', 'test_zero.gh': 'failed' })
  const zero = report.files[1]!
  assert.deepEqual([zero.findings[0]?.rule, zero.asserts[0]?.status], ['test-failed', 'passed'])
})

test('[CHK-3] given disabled asserts, when a test runs, then they are skipped, and a test that has no others is too', async (t) => {
  const locked = assertTrue(3, [1], { isLocked: true, nickName: 'Off' })
  const { check } = createCheckFolder(t, {
    'test_all.gh': buildDefinition([booleans(1, [false]), locked]),
    'test_one.gh': buildDefinition([booleans(1, [false]), locked, booleans(4, [true]), assertTrue(5, [4])]),
  })
  const report = await check()
  assert.deepEqual(listStatuses(report), { 'test_all.gh': 'skipped', 'test_one.gh': 'passed' })
  assert.deepEqual(
    report.files[1]?.asserts.map(({ status }) => status),
    ['skipped', 'passed'],
  )
  assert.ok(report.isOk)
})

test('[CHK-4] given tests that depend on what Meadow cannot solve, then none passes, and each says why', async (t) => {
  const { check } = createCheckFolder(t, {
    // The script decides.
    'test_behind.gh': buildDefinition([script(1), assertTrue(10, [3])]),
    // The script may report an error.
    'test_beside.gh': buildDefinition([script(1), booleans(9, [true]), assertTrue(10, [9])]),
    'test_cluster.gh': buildDefinition([cluster(20, [booleans(1, [false]), assertTrue(2, [1])])]),
    'test_empty.gh': buildDefinition([numbers(1, []), assertTrue(10, [1])]),
    'test_unwired.gh': buildDefinition([assertTrue(10, [])]),
    'test_failed_too.gh': buildDefinition([script(1), booleans(9, [false]), assertTrue(10, [9])]),
    'test_plugin.gh': buildDefinition([plugin(1), assertTrue(10, [3])]),
  })
  const report = await check()
  assert.deepEqual(listStatuses(report), {
    'test_behind.gh': 'unknown',
    'test_beside.gh': 'unknown',
    'test_cluster.gh': 'unknown',
    'test_empty.gh': 'unknown',
    'test_failed_too.gh': 'failed',
    'test_plugin.gh': 'unknown',
    'test_unwired.gh': 'unknown',
  })
  const found = listFindings(report)
  assert.ok(
    found.includes(
      'test_behind.gh error test-unknown GhPython Script: Scripts are not run (one node depends on it)',
    ),
    found.join('\n'),
  )
  assert.ok(
    found.includes('test_empty.gh error test-unknown AT: No values reach it, so it asserts nothing'),
    found.join('\n'),
  )
  assert.equal(report.isOk, false)

  const allowed = await check({
    allowUnknown: true,
    paths: ['test_behind.gh', 'test_beside.gh', 'test_empty.gh'],
  })
  assert.deepEqual([allowed.isOk, allowed.counts.tests.unknown, allowed.counts.warnings], [true, 3, 3])
  const stillFailing = await check({ allowUnknown: true, paths: ['test_failed_too.gh'] })
  assert.equal(stillFailing.isOk, false)
})

// Rules and budgets.

test('[CHK-5] given definitions with faults, when they are checked, then each rule finds its own and nothing else', async (t) => {
  const { check } = createCheckFolder(t, {
    'component-error.gh': buildDefinition(DIVIDED_BY_ZERO),
    'component-warning.gh': buildDefinition([numbers(1, [])]),
    'plugin.gh': buildDefinition([plugin(1, [9]), plugin(5, [9]), numbers(9, [1])], [pluginLibrary()]),
    'script.gh': buildDefinition([script(1)]),
    'unconnected-input.gh': buildDefinition([numbers(1, [2]), division(10, 1, 99)]),
    'unnamed-slider.gh': buildDefinition([
      slider(1, 4),
      slider(2, 4),
      slider(3, 4, 'Width'),
      numbers(4, [], { from: [1, 3] }),
    ]),
    'absolute-path.gh': buildDefinition([
      texts(1, [
        'C:\\Users\\ada\\model.3dm',
        '\\\\server\\share\\a.png',
        '/home/ada/a',
        'a/b.txt',
        '/',
        'see C: here',
      ]),
      texts(2, ['C:\\ignored'], { from: [1] }),
    ]),
    'obsolete-component.gh': buildDefinition([numbers(1, [2]), oldMultiplication(10, [1], [1])]),
    'good.gh': buildDefinition([slider(1, 4, 'Height'), addition(10, [1], [1])]),
    'without-port.gh': buildDefinition([slider(1, 4, 'Height'), withoutLastInput(division(10, 1, 1))]),
  })
  const report = await check()
  assert.deepEqual(
    report.files.map(({ path, findings }) => [path, [...new Set(findings.map(({ rule }) => rule))].sort()]),
    [
      ['absolute-path.gh', ['absolute-path']],
      ['component-error.gh', ['component-error']],
      ['component-warning.gh', ['component-warning']],
      ['good.gh', []],
      ['obsolete-component.gh', ['obsolete-component']],
      ['plugin.gh', ['plugin', 'unknown-value']],
      ['script.gh', ['script', 'unknown-value']],
      // A wire from nowhere is lost, so the input has none.
      ['unconnected-input.gh', ['damaged-part', 'unconnected-input']],
      ['unnamed-slider.gh', ['unnamed-slider']],
      ['without-port.gh', ['damaged-part', 'unconnected-input']],
    ],
    listFindings(report).join('\n'),
  )
  const found = listFindings(report)
  assert.equal(found.filter((line) => line.includes(' absolute-path ')).length, 3)
  assert.equal(found.filter((line) => line.includes(' unnamed-slider ')).length, 1)
  assert.ok(
    found.includes(
      'plugin.gh warning plugin Weave: Belongs to the plug-in Weaver Bird 1.2.3.4, as does one more',
    ),
  )
  assert.ok(
    found.includes(
      'unconnected-input.gh warning unconnected-input Division: Input P12: neither a wire nor a value',
    ),
  )
})

test('[CHK-5] given a fault inside a cluster, then the finding has the way to it', async (t) => {
  const { check } = createCheckFolder(t, {
    'a.gh': buildDefinition([cluster(20, [texts(1, ['D:/a.txt'], { nickName: 'File' })], 'Rib')]),
  })
  const [file] = (await check()).files
  const finding = file?.findings.find(({ rule }) => rule === 'absolute-path')
  assert.deepEqual(
    [finding?.node?.id, finding?.node?.name, finding?.node?.clusters],
    [buildId(20), 'File', ['Rib']],
  )
})

test('[CHK-6] given configurations, then the nearest holds, with its overrides in order, its ignored files and its plug-ins', async (t) => {
  const scripted = buildDefinition([script(1)])
  const { check, write } = createCheckFolder(t, {
    'meadow.check.json': { rules: { script: 'error', 'unknown-value': 'off' }, ignore: ['old/**'] },
    'a.gh': scripted,
    'old/b.gh': scripted,
    'inner/c.gh': scripted,
    'inner/legacy/d.gh': scripted,
    'inner/legacy/e.gh': scripted,
    'inner/f.gh': buildDefinition([numbers(9, [1]), plugin(1, [9])], [pluginLibrary()]),
    'inner/meadow.check.yaml': [
      'rules: { unknown-value: off }',
      'allowedPlugins: [weaver*]',
      'overrides:',
      '  - files: ["legacy/**"]',
      '    rules: { script: off }',
      '  - files: ["**/e.gh"]',
      '    rules: { script: error }',
    ].join('\n'),
  })
  assert.deepEqual(listFindings(await check()), [
    'a.gh error script GhPython Script: Runs a script',
    'inner/c.gh warning script GhPython Script: Runs a script',
    'inner/legacy/e.gh error script GhPython Script: Runs a script',
  ])
  write('only.json', { rules: { script: 'off', 'unknown-value': 'off', plugin: 'off' } })
  assert.deepEqual(listFindings(await check({ config: 'only.json' })), [])
})

test('[CHK-6] given configurations that are not valid, then the run does not begin, and the sentence says where and why', async (t) => {
  const { check, write } = createCheckFolder(t, { 'a.gh': GOOD })
  const cases: [string, RegExp][] = [
    ['{ "rules": { "scripts": "error" } }', /"rules" has no member "scripts"\.$/],
    ['{ "rules": { "script": "fatal" } }', /"rules\.script" must be one of error, warning, off\.$/],
    ['{ "budgets": { "nodes": -1 } }', /"budgets\.nodes" must be >= 0\.$/],
    ['{ "rules": { "test-failed": "off" } }', /"rules" has no member "test-failed"\.$/],
    ['{ "rules": {', /cannot be read: .+/],
    ['[]', /meadow\.check\.json must be object\.$/],
    ['{ "overrides": [{ "rules": {} }] }', /files/],
    ['a: &a [*a]', /./],
  ]
  for (const [text, sentence] of cases) {
    write('meadow.check.json', text)
    await assert.rejects(check(), (error) => {
      assert.ok(error instanceof CheckError, String(error))
      assert.match(error.message, sentence)
      return true
    })
  }
  write('meadow.check.json', '')
  assert.ok((await check()).isOk)
  write('meadow.check.yml', '')
  await assert.rejects(check(), /has both meadow\.check\.json and meadow\.check\.yml/)
})

test('[CHK-7] given budgets, when a definition exceeds them, then each says what was found and what is allowed', async (t) => {
  const { check, write } = createCheckFolder(t, {
    'a.gh': buildDefinition([numbers(1, [1, 2, 3]), cluster(20, [cluster(30, [numbers(2, [1])])])]),
    'meadow.check.json': { budgets: { bytes: 10, nodes: 3, values: 2, nesting: 1 } },
  })
  const found = listFindings(await check())
  assert.deepEqual(
    found.map((line) => line.replace(/\d{3,}/, '…')),
    [
      'a.gh error budget-bytes The file has … bytes; the budget is 10',
      'a.gh error budget-nodes There are 4 nodes; the budget is 3',
      'a.gh error budget-nesting There are 2 levels of clusters; the budget is 1',
      'a.gh error budget-values The solution has 3 values; the budget is 2',
    ],
  )
  write('meadow.check.json', { budgets: { bytes: 1e6, nodes: 4, values: 3, nesting: 2, timeMs: 60_000 } })
  assert.deepEqual(listFindings(await check()), [])
  write('b.gh', buildDefinition([numbers(1, [0]), numbers(2, [1]), numbers(3, [1e6]), series(10, 1, 2, 3)]))
  write('meadow.check.json', { budgets: { timeMs: 0 } })
  assert.match(
    listFindings(await check({ paths: ['b.gh'] })).join(),
    /budget-time Solving takes \d+ ms of processor time/,
  )
})

// Files and processes.

test('[CHK-1] given files, folders and globs, then every definition is found once, in the order of paths', async (t) => {
  const { folder } = createCheckFolder(t, {
    'b.gh': GOOD,
    'a/z.gh': GOOD,
    'a/inner/y.ghx': GOOD,
    'a/notes.txt': 'no definition',
    'a/node_modules/x/x.gh': GOOD,
    'no-extension': GOOD,
    'odd [name].gh': GOOD,
  })
  mkdirSync(join(folder, 'a/folder.gh'))
  symlinkSync(join(folder, 'a'), join(folder, 'a/circle'))
  symlinkSync(join(folder, 'b.gh'), join(folder, 'a/link.gh'))
  const find = async (...paths: string[]) =>
    (await findFiles(paths, folder)).map((path) => relative(folder, path).replaceAll('\\', '/'))
  const all = ['a/inner/y.ghx', 'a/link.gh', 'a/z.gh', 'b.gh', 'odd [name].gh']
  assert.deepEqual(await find('.'), all)
  assert.deepEqual(await find('odd [name].gh', 'b.gh', 'a', './b.gh', folder), all)
  assert.deepEqual(await find('a/**/*.ghx', 'no-extension'), ['a/inner/y.ghx', 'no-extension'])
  assert.deepEqual(await find('{a/z,b}.gh'), ['a/z.gh', 'b.gh'])
  assert.deepEqual(await find(join(folder, '*.gh')), ['b.gh', 'odd [name].gh'])
  await assert.rejects(find('nothing.gh'), /^CheckError: There is no file or folder "nothing\.gh"\.$/)
  await assert.rejects(find('x/*.gh'), /No definition fits "x\/\*\.gh"/)
  assert.deepEqual(await find('a/folder.gh'), [])
})

test('[CHK-9] given files that are damaged or hostile, then each is a finding of its own, and the others are checked', async (t) => {
  const large = (count: number) =>
    buildDefinition([numbers(1, [0]), numbers(2, [1]), numbers(3, [count]), series(10, 1, 2, 3)])
  const { check, folder } = createCheckFolder(t, {
    'a.gh': GOOD,
    'bomb.gh': deflateRawSync(new Uint8Array(300 * 2 ** 20)),
    'cut.gh': GOOD.slice(0, 60),
    'empty.gh': '',
    'large.gh': large(1e9),
    'slow.gh': buildDefinition([
      numbers(1, [0]),
      numbers(2, [1]),
      numbers(3, [4e6]),
      series(10, 1, 2, 3),
      texts(20, [], { from: [14] }),
    ]),
    'test_large.gh': large(1e9),
    'text.gh': 'This is no definition.',
    'z.gh': GOOD,
    'meadow.check.json': {
      limits: { memoryMb: 256 },
      overrides: [{ files: ['slow.gh'], limits: { timeMs: 100, memoryMb: 1024 } }],
    },
  })
  const report = await check()
  const rules = Object.fromEntries(
    report.files.map(({ path, findings }) => [path, findings.map(({ rule }) => rule)]),
  )
  assert.deepEqual(rules, {
    'a.gh': [],
    'bomb.gh': ['unreadable-file'],
    'cut.gh': ['unreadable-file'],
    'empty.gh': ['unreadable-file'],
    'large.gh': ['unfinished-solve'],
    'slow.gh': ['unfinished-solve'],
    'test_large.gh': ['unfinished-solve'],
    'text.gh': ['unreadable-file'],
    'z.gh': [],
  })
  assert.equal(report.files.find(({ path }) => path === 'test_large.gh')?.status, 'failed')
  const slow = listFindings(report).find((line) => line.startsWith('slow.gh'))
  assert.match(slow!, /longer than 0\.1 s/)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('.part')),
    [],
  )
})

test('[CHK-10] given one order of files, when they are checked one by one or at once, then the reports are equal', async (t) => {
  const files = Array.from({ length: 5 }, (_, i) => [
    `${i}.gh`,
    buildDefinition([script(1), slider(5 + i, i)]),
  ])
  const { check } = createCheckFolder(t, Object.fromEntries(files))
  const plain = async (jobs: number) =>
    (await check({ jobs })).files.map(
      ({ durationMs: _, measures: { solveMs: __, ...measures }, ...file }) => ({ ...file, measures }),
    )
  assert.deepEqual(await plain(2), await plain(1))
})

test('[CHK-10] given a signal, when it is aborted, then the run ends with its reason, and its processes too', async (t) => {
  const { folder } = createCheckFolder(
    t,
    Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}.gh`, GOOD])),
  )
  const stop = new AbortController()
  let done = 0
  const running = check({
    paths: ['.'],
    cwd: folder,
    jobs: 2,
    signal: stop.signal,
    onFile: () => {
      done++
      stop.abort(new Error('stopped'))
    },
  })
  await assert.rejects(running, /^Error: stopped$/)
  assert.ok(done < 20, `${done} files`)
})
