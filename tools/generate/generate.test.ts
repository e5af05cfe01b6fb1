import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  type Contract,
  type ContractEndpoint,
  describeContract,
  type JsonSchema,
} from '@meadow/contract/description'
import { parseSync } from 'oxc-parser'
import { findStale, writeFiles } from './generate.ts'
import { OUTPUTS } from './outputs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The outputs that are written from the contract alone. */
const OF_CONTRACT = OUTPUTS.filter(({ file }) => /generated\/|docs\/api\.|README/.test(file))

/** Pages that are written from the contract and from what uses it: the command, and the tools of agents. */
const OF_USERS = OUTPUTS.filter(({ file }) => /docs\/(cli|mcp)\./.test(file))

/** The outputs of a kind, by a part of their file names. */
const named = (...parts: readonly string[]): string[] =>
  OF_CONTRACT.map(({ file }) => file).filter((file) => parts.some((part) => file.includes(part)))

const DOCS = ['docs/api.md']
const TYPES = ['generated/types.', ...DOCS]
const HELP = ['endpoints/generated/descriptions.ts', '_generated/endpoints.py', ...DOCS]
const METHODS = ['api/generated/methods.ts', ...HELP]
const ERRORS = ['generated/errors.', 'endpoints/generated/descriptions.ts', 'docs/api.md', 'README.md']
const PARAMETERS = [...HELP, 'generated/types.ts', 'generated/endpoints.']
const EVERYTHING = OF_CONTRACT.map(({ file }) => file)

interface Change {
  name: string
  apply(contract: Contract): void
  /** Parts of the names of the files that change. */
  changes: readonly string[]
  /** What is new in each of them, but for those in which it has another form. */
  shows?: string
  /** The pages about the command and the tools that change as well. */
  pages?: readonly string[]
}

const endpointOf = ({ endpoints }: Contract, name: string): ContractEndpoint =>
  endpoints.find((endpoint) => endpoint.name === name)!

const schemaOf = ({ schemas }: Contract, name: string): JsonSchema => schemas[name]!

const fieldsOf = (contract: Contract, name: string): Record<string, JsonSchema> =>
  schemaOf(contract, name).properties!

const statusOf = ({ statuses }: Contract, status: number) => statuses.find((each) => each.status === status)!

/** Changes as a developer of the API would make them. */
const CHANGES: readonly Change[] = [
  {
    name: 'a field is added',
    apply: (contract) => {
      fieldsOf(contract, 'Team').motto = { type: 'string', description: 'Of the team.' }
    },
    changes: TYPES,
    shows: 'motto',
  },
  {
    name: 'a field is renamed',
    apply: (contract) => {
      const { path, ...others } = fieldsOf(contract, 'Folder')
      schemaOf(contract, 'Folder').properties = { ...others, lineage: path! }
      schemaOf(contract, 'Folder').required = [...Object.keys(others), 'lineage']
    },
    changes: TYPES,
    shows: 'lineage',
  },
  {
    name: 'a field is removed',
    apply: (contract) => {
      delete fieldsOf(contract, 'Group').label
    },
    changes: TYPES,
  },
  {
    name: 'a field becomes optional',
    apply: (contract) => {
      schemaOf(contract, 'Export').required = schemaOf(contract, 'Export').required!.filter(
        (field) => field !== 'sha256',
      )
    },
    changes: TYPES,
  },
  {
    name: 'the type of a field changes',
    apply: (contract) => {
      fieldsOf(contract, 'Solution').durationMs = { type: 'string' }
    },
    changes: TYPES,
  },
  {
    name: 'a field is described in other words',
    apply: (contract) => {
      fieldsOf(contract, 'Export').size!.description = 'Bytes of the file.'
    },
    changes: TYPES,
    shows: 'Bytes of the file.',
  },
  {
    name: 'an enumeration gets a value',
    apply: (contract) => {
      schemaOf(contract, 'Visibility').enum = ['private', 'public', 'unlisted']
    },
    changes: TYPES,
    shows: 'unlisted',
  },
  {
    name: 'a value can have another type',
    apply: (contract) => {
      const value = schemaOf(contract, 'DataValue')
      const added: JsonSchema = {
        type: 'object',
        required: ['type', 'value'],
        properties: { type: { type: 'string', const: 'sphere' }, value: { type: 'number' } },
      }
      value.anyOf = [
        ...value.anyOf!,
        { ...value.anyOf![0]!, properties: { ...value.anyOf![0]!.properties, ...added.properties } },
      ]
    },
    changes: TYPES,
    shows: 'sphere',
  },
  {
    name: 'a schema is added',
    apply: (contract) => {
      contract.schemas.Comment = { type: 'object', properties: { text: { type: 'string' } } }
      fieldsOf(contract, 'Document').comments = {
        type: 'array',
        items: { $ref: '#/components/schemas/Comment' },
      }
    },
    changes: TYPES,
    shows: 'Comment',
  },
  {
    name: 'an endpoint is added',
    apply: (contract) => {
      const { parameters, ...readDocument } = endpointOf(contract, 'readDocument')
      const ofPath = parameters.filter(({ in: where }) => where === 'path')
      contract.endpoints.push({
        ...structuredClone({ ...readDocument, parameters: ofPath }),
        name: 'readHistory',
        path: '/documents/{documentId}/history',
      })
    },
    changes: EVERYTHING.filter((file) => !/generated\/(types|errors)\.|README/.test(file)),
    shows: 'istory',
  },
  {
    name: 'an endpoint is removed',
    apply: (contract) => {
      contract.endpoints = contract.endpoints.filter(({ name }) => name !== 'requestExport')
    },
    changes: EVERYTHING.filter((file) => !/generated\/errors\.|README/.test(file)),
  },
  {
    name: 'an endpoint is described in other words',
    apply: (contract) => {
      endpointOf(contract, 'readTeam').summary = 'Whose token this is.'
    },
    changes: METHODS,
    shows: 'Whose token this is.',
    pages: ['docs/cli.md'],
  },
  {
    name: 'an endpoint needs another scope',
    apply: (contract) => {
      endpointOf(contract, 'searchDocuments').scope = 'folders:read'
    },
    changes: METHODS,
    pages: ['docs/cli.md', 'docs/mcp.md'],
  },
  {
    name: 'a parameter is added',
    apply: (contract) => {
      endpointOf(contract, 'searchDocuments').parameters.push({
        name: 'tagged',
        in: 'query',
        isRequired: false,
        schema: { type: 'string', format: 'date-time' },
      })
    },
    changes: PARAMETERS,
    shows: 'tagged',
    pages: ['docs/cli.md'],
  },
  {
    name: 'a parameter takes another value',
    apply: (contract) => {
      endpointOf(contract, 'requestExport').parameters[1]!.schema.enum = ['.gh', '.3dm', '.stl']
    },
    changes: ['generated/types.', ...HELP],
    shows: '.stl',
  },
  {
    name: 'a scope is added',
    apply: (contract) => {
      contract.scopes.push({ name: 'uses:read', description: 'Read uses.' })
    },
    changes: HELP.filter((part) => !part.endsWith('.py')),
    shows: 'uses:read',
  },
  {
    name: 'the sentence of an error changes',
    apply: (contract) => {
      contract.errors.find(({ code }) => code === 'folder_not_found')!.sentence = 'No such folder.'
    },
    changes: HELP,
    shows: 'No such folder.',
  },
  {
    name: 'an endpoint can fail in another way',
    apply: (contract) => {
      endpointOf(contract, 'readTeam').errors.push('link_ended')
    },
    changes: HELP,
  },
  {
    name: 'the class of a status is renamed',
    apply: (contract) => {
      statusOf(contract, 404).name = 'Missing'
    },
    changes: ERRORS,
    shows: 'Missing',
  },
  {
    name: 'a status may be retried, and ends the command otherwise',
    apply: (contract) => {
      Object.assign(statusOf(contract, 500), { mayRetry: true, exitCode: 5 })
    },
    changes: ERRORS,
  },
  {
    name: 'the API moves to another version',
    apply: (contract) => {
      contract.prefix = '/api/v2'
      contract.version = '2'
    },
    changes: ['generated/endpoints.', ...DOCS],
    shows: '/api/v2',
  },
]

const writeAll = async (contract: Contract, outputs = OF_CONTRACT): Promise<Map<string, string>> =>
  new Map(
    await Promise.all(
      outputs.map(async ({ file, write }) => {
        const current = readFileSync(join(root, file), 'utf8')
        return [file, await write(contract, current)] as const
      }),
    ),
  )

for (const { name, apply, changes, shows, pages = [] } of CHANGES) {
  test(`[GEN-1] given the contract, when ${name}, then each output that tells of it changes, and no other`, async () => {
    const before = await writeAll(describeContract())
    const contract = describeContract()
    apply(contract)
    const after = await writeAll(contract)
    const changed = [...after].filter(([file, text]) => text !== before.get(file))
    const files = changed.map(([file]) => file)
    assert.deepEqual(
      named(...changes).filter((file) => !files.includes(file)),
      [],
      'files that should change',
    )
    // A file of Python holds more than one of TypeScript does, so that others may change as well.
    const others = files.filter((file) => !file.endsWith('.py') && !named(...changes).includes(file))
    assert.deepEqual(others, [])
    const users = OF_USERS.filter(({ file }) => pages.includes(file))
    assert.equal(users.length, pages.length)
    const pagesBefore = await writeAll(describeContract(), users)
    for (const [page, text] of await writeAll(contract, users))
      assert.notEqual(text, pagesBefore.get(page), page)
    for (const file of named(...changes))
      if (shows !== undefined)
        assert.ok(after.get(file)!.includes(shows) && !before.get(file)!.includes(shows), file)
  })
}

/** A folder with the generated files as they are. */
function copyOutputs(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'meadow-generate-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const { file } of OUTPUTS) cpSync(join(root, file), join(folder, file), { recursive: true })
  return folder
}

test('[GEN-2, GEN-4] given the files of this repository, when they are checked, then they are what is written, each time', async () => {
  for (const _ of [1, 2]) {
    const { stale, failed } = await findStale(root, describeContract(), OUTPUTS)
    assert.deepEqual(
      [...stale, ...failed].map(({ file }) => file),
      [],
      'run npm run generate, and commit',
    )
  }
})

test('[GEN-2] given a file that was changed by hand, or is missing, when files are checked, then each is named; when they are written, then they are as before', async (t) => {
  const folder = copyOutputs(t)
  const [first, second] = OF_CONTRACT.map(({ file }) => join(folder, file))
  const text = readFileSync(first!, 'utf8')
  writeFileSync(first!, `${text}\n`)
  rmSync(second!)
  const { stale } = await findStale(folder, describeContract(), OUTPUTS)
  assert.deepEqual(
    stale.map(({ file }) => join(folder, file)),
    [first, second],
  )
  rmSync(dirname(second!), { recursive: true })
  writeFiles(folder, (await findStale(folder, describeContract(), OUTPUTS)).stale)
  assert.equal(readFileSync(first!, 'utf8'), text)
  assert.deepEqual(await findStale(folder, describeContract(), OUTPUTS), { stale: [], failed: [] })
})

test('[GEN-2] given a parameter that a tool has as an argument, when it is renamed, then the page of the tools is named with the reason, and all others are written', async (t) => {
  const folder = copyOutputs(t)
  const contract = describeContract()
  endpointOf(contract, 'searchDocuments').parameters[0]!.name = 'text'
  const { stale, failed } = await findStale(folder, contract, OUTPUTS)
  assert.deepEqual(failed, [{ file: 'docs/mcp.md', reason: 'searchDocuments has no parameter q.' }])
  assert.deepEqual(
    named(...PARAMETERS).filter((file) => !stale.some((each) => each.file === file)),
    [],
  )
})

test('[GEN-3] given names and texts that mean something in code, then the generated TypeScript is still valid', async () => {
  const contract = describeContract()
  const text = `*/ } ' " \` \${x} \\ \n\n</script> \u2028 # \\u{`
  contract.description = text
  for (const schema of Object.values(contract.schemas)) schema.description = text
  fieldsOf(contract, 'Team')['a-b c'] = { type: 'string', description: text }
  fieldsOf(contract, 'Team')["it's"] = { type: 'string', const: "it's" }
  for (const endpoint of contract.endpoints) {
    endpoint.summary = text
    for (const parameter of endpoint.parameters) parameter.description = text
  }
  for (const status of contract.statuses) status.advice = text
  for (const error of contract.errors) error.sentence = text
  for (const [file, written] of await writeAll(contract)) {
    if (file.endsWith('.json')) assert.equal(JSON.parse(written).info.description, text)
    if (!file.endsWith('.ts')) continue
    assert.deepEqual(parseSync(file, written).errors, [], file)
  }
})
