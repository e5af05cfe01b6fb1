import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const runTests = join(root, 'tools/run-tests.ts')

/** Runs files of these texts and resolves to how that ended. */
async function run(texts: Record<string, string>, ...options: string[]) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meadow-run-'))
  const paths = Object.entries(texts).map(([name, text]) => {
    const path = join(folder.path, name)
    writeFileSync(
      path,
      `import assert from 'node:assert/strict'; import { after, test } from 'node:test'\n${text}`,
    )
    return path
  })
  // Inside of a test, node --test would report to the outer run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return await new Promise<{ status: number; stdout: string; stderr: string }>((resolve) =>
    execFile(
      process.execPath,
      [runTests, ...paths, ...options],
      { env, cwd: root },
      (error, stdout, stderr) => resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    ),
  )
}

test('when all tests pass, then the run passes, and says of each file that it did, and how long the slowest took', async () => {
  const { status, stdout } = await run({
    'a.test.mjs': `test('one', () => {})`,
    'b.test.mjs': `test('two', () => {})`,
  })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /✔ \S*a\.test\.mjs/)
  assert.match(stdout, /pass 2\n/)
  assert.doesNotMatch(stdout, /one/)
  const busy = process.platform === 'linux' ? ', \\d+\\.\\d s of processor time' : ''
  assert.match(stdout, new RegExp(`The slowest files:\\n +\\d+\\.\\d s {2}\\S+\\.test\\.mjs${busy}\\n`))
})

test('when a test fails, then the run fails, without a second attempt, and names the test and the reason', async () => {
  const { status, stdout } = await run({
    'a.test.mjs': `test('sum', () => assert.equal(1 + 1, 3)); test('other', () => {})`,
  })
  assert.equal(status, 1)
  assert.match(stdout, /✖ sum/)
  assert.match(stdout, /2 !== 3/)
  assert.match(stdout, /pass 1\n.*fail 1\n/)
})

test('when a file cannot be loaded, or a hook fails, then the run fails', async () => {
  assert.equal((await run({ 'a.test.mjs': `throw new Error('cannot start')` })).status, 1)
  const leaves = `test('one', () => {}); after(() => { throw new Error('left open') })`
  assert.equal((await run({ 'a.test.mjs': leaves })).status, 1)
})

test('when a process ends before it has run all of its files, then the run fails, and names those that were not run', async () => {
  const { status, stdout } = await run({
    'a.test.mjs': `test('one', () => {})\nawait null; process.exit(0)`,
    'b.test.mjs': `test('two', () => {})`,
  })
  assert.equal(status, 1, stdout)
  assert.match(stdout, /✖ \S*b\.test\.mjs was not run/)
})

test('when a test does not end, then its file is stopped with its name, and the files after it run', async () => {
  const waits = `test('waits', () => new Promise((resolve) => setTimeout(resolve, 1e8)))`
  const { status, stdout } = await run(
    { 'a.test.mjs': waits, 'b.test.mjs': `test('two', () => {})` },
    '--patience=1',
  )
  assert.equal(status, 1)
  assert.match(stdout, /a\.test\.mjs: ".*waits" did not end within 1 s/)
  assert.match(stdout, /✔ \S*b\.test\.mjs/)
})

test('when a test keeps its process busy for ever, then the process is killed with the name of the test', async () => {
  const { status, stderr, stdout } = await run(
    { 'a.test.mjs': `test('turns', () => { for (;;); })` },
    '--patience=1',
  )
  assert.equal(status, 1)
  assert.match(stderr + stdout, /a\.test\.mjs: ".*turns" keeps its process busy/)
})

test('each file that has tests is in one tier by its name', () => {
  const tests = globSync(['{apps,packages,sdks,bench,deploy,docs,integrations,tools}/**/*.{ts,tsx,js,mjs}'], {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  }).filter((file) => /^import .*\btest\b.* from 'node:test'/m.test(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(
    tests.filter((file) => !/[a-z0-9]+(\.slow)?\.test\.ts$/.test(file)),
    [],
  )
})
