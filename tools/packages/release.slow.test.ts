import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { readWorkflow } from '../../docs/recipes/testing/read-workflow.ts'
import { pack } from './build-packages.ts'
import { startRegistry } from './testing/registry.ts'
import { createUserSystem, run } from './testing/user-folder.ts'

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
}

interface Job {
  permissions?: Record<string, string>
  environment?: string
  needs?: string
  steps: Step[]
}

const TEXT = readFileSync(new URL('../../.github/workflows/release.yml', import.meta.url), 'utf8')
const WORKFLOW = parse(TEXT) as { permissions: object; jobs: Record<string, Job> }

const isPublisher = ({ permissions }: Job) => permissions?.['id-token'] !== undefined
const linesOf = ({ steps }: Job) => steps.map(({ run = '' }) => run).join('\n')

test('[PKG-13] given the release workflow, then what can publish runs npm alone, and what runs the code of others can write nothing', async () => {
  assert.deepEqual((await readWorkflow(TEXT)).errors, [])
  assert.deepEqual(WORKFLOW.permissions, {})
  assert.doesNotMatch(TEXT, /secrets\.|_TOKEN: (?!\$\{\{ github\.token \}\})/)
  const jobs = Object.values(WORKFLOW.jobs)
  for (const { uses } of jobs.flatMap(({ steps }) => steps)) assert.match(uses ?? 'x@', /^x@$|@[0-9a-f]{40}$/)
  const publishers = jobs.filter(isPublisher)
  assert.equal(publishers.length, 1)
  for (const job of publishers) {
    assert.deepEqual([job.permissions, job.environment], [{ 'id-token': 'write' }, 'npm'])
    assert.doesNotMatch(linesOf(job), /npm (ci|i|install|run|exec|test)\b|npx/)
    assert.match(linesOf(job), /npm publish .*--ignore-scripts/)
    assert.ok(!job.steps.some(({ uses }) => uses?.startsWith('actions/checkout@')))
    const [node] = job.steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@'))
    assert.deepEqual(node!.with, { 'node-version': 24 })
  }
  for (const job of jobs.filter((job) => /npm (ci|i|install|run|test)\b/.test(linesOf(job)))) {
    assert.deepEqual(job.permissions, { contents: 'read' })
    for (const line of linesOf(job).split('\n'))
      if (/npm (ci|i|install)\b/.test(line)) assert.match(line, /^npm ci --ignore-scripts$/)
  }
})

test('[PKG-8, PKG-13] given packed packages of which npm has one, when the publishing step runs, twice, then it publishes the others, and no script runs', {
  skip: process.platform === 'win32' && 'the step is written for bash',
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'meadow-release-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const registry = await startRegistry()
  t.after(() => registry.close())
  const folders = ['one', 'two'].map((name) => {
    const path = join(folder, name)
    mkdirSync(path)
    const touch = `touch ${join(folder, 'script-ran')}`
    const scripts = { prepack: touch, prepare: touch, prepublishOnly: touch, postpublish: touch }
    writeFileSync(
      join(path, 'package.json'),
      JSON.stringify({ name: `@meadow/${name}`, version: '1.2.3', scripts }),
    )
    return path
  })
  pack(folders, join(folder, 'packages'))
  registry.add({ name: '@meadow/one', version: '1.2.3' } as never, Buffer.from('published before'))
  const [step] = Object.values(WORKFLOW.jobs)
    .filter(isPublisher)
    .flatMap(({ steps }) => steps.filter(({ run }) => run))
  const system = createUserSystem(folder, registry.address)
  for (const _ of ['first', 'repeated']) {
    const { code, stderr } = await run('bash', ['-e', '-c', step!.run!], folder, system.env)
    assert.equal(code, 0, stderr)
  }
  assert.deepEqual(registry.published, ['@meadow/two@1.2.3'])
  assert.throws(() => readFileSync(join(folder, 'script-ran')), { code: 'ENOENT' })
})
