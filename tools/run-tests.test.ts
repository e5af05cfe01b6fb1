import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const runTests = fileURLToPath(new URL('run-tests.ts', import.meta.url))

/** Runs one test file whose test passes from the given attempt on. */
function run(passesFrom: number, ...options: string[]) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'meadow-retry-'))
  const file = join(folder.path, 'sometimes.test.mjs')
  const attempts = JSON.stringify(join(folder.path, 'attempts'))
  writeFileSync(
    file,
    `import assert from 'node:assert/strict'
    import { appendFileSync, statSync } from 'node:fs'
    import { test } from 'node:test'
    test('sometimes', () => {
      appendFileSync(${attempts}, '.')
      assert.ok(statSync(${attempts}).size >= ${passesFrom})
    })`,
  )
  // Inside of a test, node --test would report to the outer run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stderr } = spawnSync(process.execPath, [runTests, file, ...options], {
    env,
    encoding: 'utf8',
  })
  return { status, lastLine: stderr.trim().split('\n').at(-1)! }
}

test('given a test that fails once, when it runs with a second attempt, then the run passes and names its file', () => {
  const { status, lastLine } = run(2, '--retry')
  assert.equal(status, 0)
  assert.match(lastLine, /^Passed at the second attempt, and needs repair: .*sometimes\.test\.mjs$/)
})

test('given a test that fails once, when it runs without a second attempt, then the run fails', () => {
  assert.equal(run(2).status, 1)
})

test('given a test that always fails, when it runs with a second attempt, then the run fails', () => {
  assert.equal(run(3, '--retry').status, 1)
})

test('given a run that takes longer than it may, when its time is over, then it fails and names what ran, failed and took long', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'meadow-slow-'))
  const [hanging, failing] = ['hanging.test.mjs', 'failing.test.mjs'].map((name) => join(folder.path, name))
  writeFileSync(
    hanging!,
    `import { test } from 'node:test'; test('hangs', () => new Promise((r) => setTimeout(r, 1e8)))`,
  )
  writeFileSync(
    failing!,
    `import { test } from 'node:test'; test('fails', () => { throw new Error('wrong') })`,
  )
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [runTests, failing!, hanging!, '--retry', '--minutes=0.1'],
    { env, encoding: 'utf8' },
  )
  assert.equal(status, 1)
  assert.match(stdout, /Interrupted while running:[\s\S]*hanging\.test\.mjs/)
  assert.match(stderr, /The run was ended after 0\.1 minutes\. Failed until then: \S*failing\.test\.mjs\n/)
  assert.match(stderr, /Took longest: \S*failing\.test\.mjs \d+ s\n$/)
})
