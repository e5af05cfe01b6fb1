import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { json as readJson } from 'node:stream/consumers'
import { before, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  BimDocument,
  NAMED_SCHEMAS,
  readDocument,
  readFolder,
  readTeam,
  Solution,
  searchDocuments,
} from '@meadow/contract'
import { describeContract } from '@meadow/contract/description'
import { describeApi } from '@meadow/contract/openapi'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { load, withoutCheck } from '../../../../../checks/load.ts'
import { processScope } from '../../testing/process-scope.ts'
import { compileSchemas } from './testing/compile-schemas.ts'
import { PYTHON_CLIENT } from './testing/python-client.ts'
import { type DemoAnswer, startDemo } from './testing/start-demo.ts'
import { TYPESCRIPT_CLIENT } from './testing/typescript-client.ts'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const description = describeApi(describeContract(), undefined)

let demo: Awaited<ReturnType<typeof startDemo>>
let answers: readonly DemoAnswer[]
before(async () => {
  demo = await startDemo(processScope)
  answers = await demo.readAll()
})

/** The contract's schema of an answer, and the operation that describes it. */
function schemaOf(path: string): [schema: TSchema, operation: string, pattern: string] {
  if (path === '/team') return [readTeam.response, 'readTeam', '/team']
  if (path === '/documents') return [searchDocuments.response, 'searchDocuments', '/documents']
  if (path.startsWith('/folders/')) return [readFolder.response, 'readFolder', '/folders/{folderId}']
  if (!path.includes('/solution')) return [readDocument.response, 'readDocument', '/documents/{documentId}']
  const schema = path.includes('bimz') ? BimDocument : Solution
  return [schema, 'readSolution', '/documents/{documentId}/solution']
}

test('[C2, D20, D24, D26, OPENAPI-2] given the demo team, then every response has the shape that the contract declares, by its own validator and by Ajv in JSON Schema 2020-12', () => {
  const found = answers.find(({ path }) => path === '/documents')!
  assert.equal(found.json.documents.length, 15)
  assert.ok(answers.filter(({ path }) => path.includes('/solution')).length > 30)
  const assertFits = compileSchemas(description)
  for (const { path, json } of answers) {
    const [schema, , pattern] = schemaOf(path)
    assertShape(schema, json)
    assertFits(
      description.paths[pattern]!.get.responses[200]!.content!['application/json'].schema,
      json,
      path,
    )
  }
})

const named = Object.fromEntries(NAMED_SCHEMAS.map((known) => [(known as { $id?: string }).$id, known]))
/** Made once a shape: to interpret it anew for each response takes ten times as long. */
const validators = new Map<TSchema, Validator>()

function assertShape(schema: TSchema, value: unknown): void {
  const validator = validators.get(schema) ?? Compile(named as never, schema)
  validators.set(schema, validator)
  if (validator.Check(value)) return
  const [fault] = validator.Errors(value)
  assert.fail(fault && `${fault.instancePath}: ${fault.message}`)
}

/** A folder in which the packages of checks/ can be imported. */
async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'meadow-client-'))
  t.after(() => rm(folder, { recursive: true }))
  await symlink(join(root, 'checks/node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}

/** Runs a program against the demo, and reads the JSON that it prints. It gets the paths to read on its standard input. */
async function runProgram(command: string, script: string, paths: readonly unknown[] = []) {
  const program = spawn(command, [script], { cwd: dirname(script), stdio: ['pipe', 'pipe', 'inherit'] })
  program.stdin.end(JSON.stringify({ api: demo.api, token: demo.token, paths }))
  const [printed, [code]] = await Promise.all([readJson(program.stdout), once(program, 'exit')])
  assert.equal(code, 0)
  return printed
}

interface TreeLike {
  branches: { values: ({ type: string } | null)[] }[]
}

interface NodeLike {
  values: Record<string, TreeLike>
}

/** The values of an object; none of anything else, such as an id beside objects. */
const listValues = <Value>(object: unknown): Value[] =>
  typeof object === 'object' ? Object.values(object ?? {}) : []

test('[OPENAPI-4] given the description, when openapi-typescript generates a client from it, then it compiles without a cast, and reads everything of the demo team', {
  skip: withoutCheck('openapi-typescript'),
}, async (t) => {
  const { default: openapiTs, astToString } = await load('openapi-typescript')
  const folder = await makeFolder(t)
  const types = astToString(await openapiTs(JSON.parse(JSON.stringify(description))))
  await writeFile(join(folder, 'meadow.ts'), types)
  await writeFile(join(folder, 'main.ts'), TYPESCRIPT_CLIENT)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const options =
    '--noEmit --strict --noUncheckedIndexedAccess --target esnext --module nodenext --types node --typeRoots ROOTS --allowImportingTsExtensions'
  const typeRoots = join(root, 'node_modules/@types')
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc')
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      compiler,
      ...options.split(' ').map((option) => option.replace('ROOTS', typeRoots)),
      join(folder, 'main.ts'),
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  assert.equal(status, 0, stdout)
  const nodes = answers.flatMap(({ json }) => listValues<NodeLike>(json.document?.nodes))
  const solutions = answers.filter(({ path }) => /\/solution($|\?format)/.test(path))
  const trees = [
    ...nodes.flatMap(({ values }) => listValues<TreeLike>(values)),
    ...solutions.flatMap(({ json }) => listValues<object>(json.data).flatMap(listValues<TreeLike>)),
  ]
  const values = trees.flatMap(({ branches }) => branches.flatMap((branch) => branch.values))
  assert.deepEqual(await runProgram(process.execPath, join(folder, 'main.ts')), {
    documents: 15,
    folders: answers.find(({ path }) => path === '/folders/root')!.json.folder.folders.length,
    nodes: nodes.length,
    values: values.length,
    points: values.filter((value) => value?.type === 'point').length,
    objects: solutions.flatMap(({ json }) => Object.keys(json.objects ?? {})).length,
    solutions: solutions.length,
  })
})

/** Python classes of all answers. Times stay texts: quicktype would need a package for them that Python does not have. */
async function generatePython(): Promise<string> {
  const localise = (schema: object) =>
    JSON.parse(
      JSON.stringify(schema)
        .replaceAll('#/components/schemas/', '#/definitions/')
        .replaceAll('"format":"date-time",', ''),
    )
  const definitions = localise(description.components.schemas)
  const { InputData, JSONSchemaInput, JSONSchemaStore, quicktype } = await load('quicktype-core')
  class NoStore extends JSONSchemaStore {
    async fetch() {
      return undefined
    }
  }
  const input = new JSONSchemaInput(new NoStore())
  for (const { get } of Object.values(description.paths)) {
    const schema = localise(get.responses[200]!.content!['application/json'].schema)
    await input.addSource({ name: get.operationId, schema: JSON.stringify({ ...schema, definitions }) })
  }
  const inputData = new InputData()
  inputData.addInput(input)
  const { lines } = await quicktype({
    inputData,
    lang: 'python',
    rendererOptions: { 'python-version': '3.7' },
  })
  return lines.join('\n')
}

const hasPython = spawnSync('python3', ['--version']).status === 0

test('[OPENAPI-5] given the description, when quicktype generates Python from it, then it compiles, and holds everything of the demo team without loss', {
  skip: (!hasPython && 'there is no python3 here') || withoutCheck('quicktype-core'),
}, async (t) => {
  const folder = await makeFolder(t)
  await writeFile(join(folder, 'meadow_types.py'), await generatePython())
  await writeFile(join(folder, 'main.py'), PYTHON_CLIENT)
  // With geometry, solutions are read in the other form.
  const wanted = answers.filter(({ path }) => !path.includes('includeGeometry'))
  const paths = wanted.map(({ path }) => {
    const [, operation] = schemaOf(path)
    return [path, operation.charAt(0).toUpperCase() + operation.slice(1)]
  })
  assert.deepEqual(await runProgram('python3', join(folder, 'main.py'), paths), [])
})
