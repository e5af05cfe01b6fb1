import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { withoutCheck } from '../checks/load.ts'
import { readAction, readWorkflow } from '../docs/recipes/testing/read-workflow.ts'
import { CONFIG_NAMES } from '../packages/check/src/config/read-config.ts'
import { createCheckFolder } from '../packages/check/src/testing/check-folder.ts'
import { assertTrue, booleans, buildDefinition, slider } from '../packages/check/src/testing/definitions.ts'
import { withCommandVersion } from '../tools/packages/set-version.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const { version } = JSON.parse(textOf('apps/cli/package.json')) as { version: string }

const ACTION = 'integrations/github-action/action.yml'
const HOOKS = '.pre-commit-hooks.yaml'
const PAGES = ['docs/check.md', ...globSync('integrations/*/README.md', { cwd: root })]

const listYaml = (page: string): string[] =>
  [...textOf(page).matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text!)

// biome-ignore lint/style/noProcessEnv: what tests start runs in their environment.
const environment = process.env
const BIN = join(root, 'node_modules/.bin')

/** A repository, and a shell in which the command of this project is installed. */
function createRepository(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'meadow-integrations-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'good.gh'), buildDefinition([slider(1, 4, 'Height')]))
  mkdirSync(join(folder, 'a $(touch hacked) "b"'))
  const wrong = buildDefinition([booleans(1, [false]), assertTrue(2, [1])])
  writeFileSync(join(folder, 'a $(touch hacked) "b"/test_wrong.gh'), wrong)
  const run = (script: string, env: Record<string, string> = {}, ...args: string[]) =>
    spawnSync('bash', ['-c', script, 'bash', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...environment, ...env, PATH: `${BIN}${delimiter}${environment.PATH}` },
    })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return { folder, run, read }
}

/** The variables of the action's step, for these inputs and the defaults of the others. */
function toVariables(inputs: Record<string, string>): Record<string, string> {
  const action = parse(textOf(ACTION))
  const fill = (text: string) =>
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name) => inputs[name] ?? action.inputs[name].default)
  const variables = Object.entries(action.runs.steps[0].env as Record<string, string>)
  return Object.fromEntries(variables.map(([name, text]) => [name, fill(text)]))
}

test('[INT-1] given the action and the workflows of the pages, when GitHub reads them, then they are valid', {
  skip: withoutCheck('@actions/workflow-parser'),
}, async () => {
  assert.deepEqual(await readAction(textOf(ACTION)), [])
  const workflows = PAGES.flatMap(listYaml).filter((text) => /^jobs:/m.test(text))
  assert.ok(workflows.length >= 2)
  for (const workflow of workflows) assert.deepEqual((await readWorkflow(workflow)).errors, [], workflow)
  assert.notDeepEqual(await readAction(textOf(ACTION).replace('composite', 'nothing')), [])
})

test('[INT-1] given inputs of every kind, when the step runs, then the command gets them as they are, and its code is that of the step', (t) => {
  const { folder, run, read } = createRepository(t)
  const step = (inputs: Record<string, string>) =>
    run(parse(textOf(ACTION)).runs.steps[0].run, {
      ...toVariables(inputs),
      GITHUB_ACTION_PATH: join(root, 'integrations/github-action'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    })
  const good = step({ paths: 'good.gh', junit: 'report.xml', 'allow-unknown': 'true', 'max-warnings': '0' })
  assert.equal(good.status, 0, good.stderr)
  assert.match(read('summary.md'), /✅ meadow check/)
  assert.match(read('report.xml'), /<testsuite name="good\.gh"/)
  assert.equal(JSON.parse(read('meadow-check.sarif')).version, '2.1.0')

  const odd = 'a $(touch hacked) "b"'
  const wrong = step({ paths: `good.gh\n${odd}\n` })
  assert.equal(wrong.status, 1, wrong.stderr)
  assert.match(wrong.stdout, /1 test: 1 failed/)
  assert.match(wrong.stdout, /a \$\(touch hacked\) "b"\/test_wrong\.gh/)
  assert.equal(read('summary.md').match(/## /g)?.length, 2)
  assert.deepEqual(globSync('**/hacked', { cwd: folder }), [])
  assert.equal(step({ paths: 'nothing' }).status, 2)
})

test('[INT-2] given the hook of pre-commit, when its entry runs with the files of a commit, then they are checked', (t) => {
  const [hook, ...others] = parse(textOf(HOOKS))
  assert.deepEqual(
    [others, hook.id, hook.language, hook.require_serial],
    [[], 'meadow-check', 'system', true],
  )
  const files = new RegExp(hook.files)
  const fits = ['a.gh', 'b/c.ghx', 'a.gha', 'gh', 'a.gh.snapshot.json'].filter((name) => files.test(name))
  assert.deepEqual(fits, ['a.gh', 'b/c.ghx'])
  const { run } = createRepository(t)
  const check = (...args: string[]) => run(`${hook.entry} "$@"`, {}, ...args)
  assert.equal(check('good.gh').status, 0)
  const wrong = check('good.gh', 'a $(touch hacked) "b"/test_wrong.gh')
  assert.deepEqual([wrong.status, /It is false/.test(wrong.stdout)], [1, true])
})

test('[INT-3] given pages on CI, then they name the version of the packages, also after another one is set', () => {
  for (const file of [...PAGES, 'docs/recipes/github-action.md']) {
    assert.equal(withCommandVersion(textOf(file), version), textOf(file), file)
    const named = textOf(file).split(version).length
    assert.ok(named > 1, file)
    const next = withCommandVersion(textOf(file), '9.8.7-rc.1')
    assert.equal(next.split('9.8.7-rc.1').length, named, file)
    assert.equal(next.includes(version), false, file)
  }
})

test('[INT-4] given the configuration of the page, then a run accepts it, and the schema for editors does', async (t) => {
  const [config] = listYaml('docs/check.md').filter((text) => text.startsWith('rules:'))
  const { check } = createCheckFolder(t, {
    'a.gh': buildDefinition([slider(1, 4)]),
    [CONFIG_NAMES[1]]: config!,
  })
  assert.ok((await check()).isOk)
  const schema = JSON.parse(textOf('docs/meadow.check.schema.json'))
  const validate = new Ajv2020({ strict: false }).compile(schema)
  assert.ok(validate(parse(config!)), JSON.stringify(validate.errors))
  assert.equal(validate({ rules: { scripts: 'off' } }), false)
  assert.equal(validate({ budgets: { nodes: -1 } }), false)
})
