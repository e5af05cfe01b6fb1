import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  assertTrue,
  booleans,
  buildDefinition,
  numbers,
  script,
  series,
  slider,
  texts,
} from '../../../../packages/check/src/testing/definitions.ts'
import { isAlive, listChildren, noProc } from '../../../server/src/testing/child-processes.ts'
import { until } from '../../../server/src/testing/until.ts'
import { createMeadowCommand } from '../testing/run-meadow.ts'

describe('meadow check', () => {
  test('[CMD-40] given definitions, when they are checked, then findings are printed by file, and the code says whether all is well', async (t) => {
    const { home, run, runWith, json } = await createMeadowCommand(t)
    const write = (name: string, bytes: Uint8Array) => writeFile(join(home, name), bytes)
    await write('good.gh', buildDefinition([slider(1, 4, 'Height')]))
    await write('path.gh', buildDefinition([texts(1, ['C:\\a'], { nickName: 'File\u001b[31m' })]))
    await write('test_good.gh', buildDefinition([booleans(1, [true]), assertTrue(2, [1])]))
    await write('test_wrong.gh', buildDefinition([booleans(1, [false]), assertTrue(2, [1])]))
    const report = join(home, 'report.xml')
    const [sarif, summary] = [join(home, 'report.sarif'), join(home, 'summary.md')]
    await writeFile(summary, '# Earlier step\n')
    const all = await run('check', home, '--junit', report, '--sarif', sarif, '--markdown', summary)
    assert.equal(all.code, 1, all.stderr)
    const lines = all.stdout.split('\n').map((line) => line.replace(/^\S*(?=(path|test_\w+)\.gh)/, ''))
    assert.deepEqual(lines, [
      'path.gh  checked',
      '  warning  File\\u{1b}[31m (Text): The path "C:\\a" leads nowhere on another computer  absolute-path',
      'test_good.gh  passed',
      'test_wrong.gh  failed',
      '  error    AT (Assert True): It is false at {0}[0], of 1  test-failed',
      '1 error and 1 warning in 4 definitions; 2 tests: 1 passed, 1 failed.',
      '',
    ])
    assert.match(await readFile(report, 'utf8'), /<testcase name="AT"/)
    assert.equal(JSON.parse(await readFile(sarif, 'utf8')).runs[0].results.length, 2)
    assert.match(await readFile(summary, 'utf8'), /^# Earlier step\n## ❌ meadow check\n/)
    const good = join(home, 'good.gh')
    assert.deepEqual(await run('check', good), {
      code: 0,
      stdout: '0 errors and 0 warnings in 1 definition.\n',
      stderr: '',
    })
    const path = join(home, 'path.gh')
    assert.equal((await run('check', path)).code, 0)
    assert.equal((await run('check', path, '--max-warnings', '0')).code, 1)
    assert.match((await runWith({ columns: 80 }, 'check', path)).stdout, /\[33mwarning/)
    const { counts, files } = await json('check', path)
    assert.deepEqual([counts.warnings, files[0].findings[0].rule], [1, 'absolute-path'])
    assert.match(
      (await run('check', path, '--csv')).stdout,
      /^severity,rule,path,node,message,id\r\nwarning,absolute-path,/,
    )
  })

  test('[CMD-40] given calls that are wrong, then the code is 2 and one sentence says why', async (t) => {
    const { home, run } = await createMeadowCommand(t)
    await mkdir(join(home, 'empty'))
    const nothing = await run('check', join(home, 'nothing'))
    assert.deepEqual([nothing.code, nothing.stdout], [2, ''])
    assert.match(nothing.stderr, /^Error: There is no file or folder ".*nothing"\.\n$/)
    assert.match((await run('check', join(home, 'empty'))).stderr, /There is no definition/)
    assert.equal((await run('check', home, '--jobs', '0')).code, 2)
    await writeFile(join(home, 'a.gh'), buildDefinition([numbers(1, [1])]))
    await writeFile(join(home, 'meadow.check.json'), '{"rules":{"scripts":"off"}}')
    const invalid = await run('check', home)
    assert.equal(invalid.code, 2)
    assert.match(invalid.stderr, /meadow\.check\.json is not valid: "rules" has no member "scripts"\.\n$/)
  })

  test('[CMD-40] given what Meadow cannot solve, then it is an error, and a warning with --allow-unknown', async (t) => {
    const { home, run } = await createMeadowCommand(t)
    const file = join(home, 'test_script.gh')
    await writeFile(file, buildDefinition([script(1), assertTrue(9, [3])]))
    const strict = await run('check', file)
    assert.equal(strict.code, 1)
    assert.match(strict.stdout, /test_script\.gh {2}unknown\n {2}error +GhPython Script: Scripts are not run/)
    const allowed = await run('check', file, '--allow-unknown')
    assert.equal(allowed.code, 0)
    assert.match(allowed.stdout, /1 test: 1 unknown\.\n$/)
  })

  test('[CMD-41] given a check that runs, when it gets Ctrl-C, then it ends with 130, and its processes end', {
    skip: noProc,
  }, async (t) => {
    const { home, start } = await createMeadowCommand(t)
    // Sums of texts without an end that a test would wait for.
    const slow = buildDefinition([
      numbers(1, [0]),
      numbers(2, [1]),
      numbers(3, [3e7]),
      series(10, 1, 2, 3),
      texts(20, [], { from: [14] }),
    ])
    await writeFile(join(home, 'slow.gh'), slow)
    const { child, finished } = start('meadow', ['check', home, '--jobs', '1'])
    // Where the first Node of the path is an older one, the command is a child of its launcher.
    const listOwn = () =>
      [child.pid!, ...listChildren('meadow', child.pid).map(({ pid }) => pid)].flatMap((parent) =>
        listChildren('inspect-definition', parent),
      )
    const busy = await until('the definition is being checked', async () =>
      listOwn().find(({ cpuMs }) => cpuMs > 500),
    )
    child.kill('SIGINT')
    assert.equal((await finished).code, 130)
    await until('its process has ended', async () => !isAlive(busy.pid))
  })
})
