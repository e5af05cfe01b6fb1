import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { type Contract, describeContract, type JsonSchema } from '@meadow/contract/description'
import { writePythonEndpoints, writePythonErrors, writePythonTypes } from './module.ts'

const WRITERS = [writePythonTypes, writePythonErrors, writePythonEndpoints]

/** The contract after a change. */
function changed(change: (contract: Contract) => void): Contract {
  const contract = describeContract()
  change(contract)
  return contract
}

/** A contract with one more schema. */
const withSchema = (schema: JsonSchema): Contract =>
  changed(({ schemas }) => {
    schemas.Sample = schema
  })

const hasPython = !spawnSync('python3', ['--version']).error
const PARSE =
  'import ast, json, sys; [ast.parse(text, feature_version=(3, 9)) for text in json.load(sys.stdin)]'

/** Fails when a module is no Python 3.9. */
function assertParses(contract: Contract): void {
  if (!hasPython) return
  const input = JSON.stringify(WRITERS.map((write) => write(contract)))
  const { status, stderr } = spawnSync('python3', ['-c', PARSE], { input })
  assert.equal(status, 0, String(stderr))
}

describe('Python from the contract', () => {
  test('given an object, when its type is written, then members that may be absent are in a class of their own', () => {
    const contract = withSchema({
      type: 'object',
      required: ['one'],
      description: 'A sample.',
      properties: {
        one: { type: 'integer', description: 'The first.' },
        others: { type: 'array', items: { type: 'object', properties: {} } },
      },
    })
    const types = writePythonTypes(contract)
    assert.match(types, /class _SampleAlways\(TypedDict\):\n {4}one: int\n {4}"""The first\."""/)
    assert.match(
      types,
      /class Sample\(_SampleAlways, total=False\):\n {4}"""A sample\."""\n\n {4}others: list\["SampleOther"\]/,
    )
    assert.match(types, /__all__ = \[[^\]]*"Sample"/)
  })

  test('given a key that is a keyword, when its type is written, then it is written as a call', () => {
    const contract = withSchema({
      type: 'object',
      required: ['from'],
      properties: { from: { $ref: '#/components/schemas/Xyz' } },
    })
    assert.ok(writePythonTypes(contract).includes('Sample = TypedDict("Sample", {"from": "Xyz"})'))
    assertParses(contract)
  })

  test('given an object without members, when its type is written, then it is a class with nothing in it', () => {
    const contract = withSchema({ type: 'object', properties: {} })
    assert.match(writePythonTypes(contract), /class Sample\(TypedDict\):\n {4}pass/)
    assertParses(contract)
  })

  test('given unions, tuples, constants and records, when they are written, then each is a type of Python 3.9', () => {
    const typeOf = (schema: JsonSchema) => /^Sample = (.*)$/m.exec(writePythonTypes(withSchema(schema)))?.[1]
    const number: JsonSchema = { type: 'number' }
    assert.equal(typeOf({ anyOf: [number, { type: 'null' }] }), 'Optional[float]')
    assert.equal(
      typeOf({ anyOf: [number, { enum: ['NaN'] }, { type: 'null' }] }),
      'Optional[Union[float, Literal["NaN"]]]',
    )
    assert.equal(
      typeOf({ type: 'array', prefixItems: [number, number, { type: 'string' }] }),
      'list[Union[float, str]]',
    )
    assert.equal(typeOf({ const: true }), 'Literal[True]')
    assert.equal(typeOf({ type: 'object', additionalProperties: number }), 'dict[str, float]')
    assert.equal(
      typeOf({ type: 'object', properties: { a: number }, additionalProperties: number }),
      'dict[str, Any]',
    )
    assert.equal(typeOf({}), 'Any')
  })

  test('given a text with quotes, backslashes and long lines, when it is a docstring, then it is Python, and narrow', () => {
    const contract = withSchema({ type: 'string', description: `"""a\\b ${'word '.repeat(60)}"` })
    assertParses(contract)
    const [, sample] = writePythonTypes(contract).split('Sample = str\n')
    const widths = sample!.split('\n', 4).map(({ length }) => length)
    assert.ok(Math.max(...widths) <= 110, widths.join())
  })

  test('given another parameter, when the methods are written, then both clients take it and send it', () => {
    const contract = changed(({ endpoints }) => {
      const search = endpoints.find(({ name }) => name === 'searchDocuments')!
      search.parameters.push({
        name: 'changedAfter',
        in: 'query',
        isRequired: true,
        schema: { type: 'string' },
      })
      search.parameters.push({
        name: 'deep',
        in: 'query',
        isRequired: false,
        schema: { enum: ['true', 'false'] },
      })
      search.parameters.push({ name: 'depth', in: 'query', isRequired: false, schema: { enum: ['1', '2'] } })
    })
    const endpoints = writePythonEndpoints(contract)
    assert.equal(endpoints.match(/^ {8}changed_after: str,$/gm)?.length, 2)
    assert.equal(endpoints.match(/^ {8}deep: Optional\[bool\] = None,$/gm)?.length, 2)
    assert.equal(endpoints.match(/^ {8}depth: Optional\[SearchDocumentsDepth\] = None,$/gm)?.length, 2)
    assert.match(endpoints, /from \.types import [^\n]*SearchDocumentsDepth/)
    assert.equal(endpoints.match(/"changedAfter": changed_after, "deep": deep, "depth": depth/g)?.length, 2)
    assert.match(writePythonTypes(contract), /^SearchDocumentsDepth = Literal\[1, 2\]$/m)
    assertParses(contract)
  })

  test('given another error, endpoint or sentence, when the modules are written, then they have it', () => {
    const contract = changed((contract) => {
      contract.statuses.push({
        status: 418,
        name: 'Teapot',
        mayRetry: true,
        exitCode: 1,
        advice: 'Take coffee.',
      })
      contract.errors.find(({ code }) => code === 'folder_not_found')!.sentence = 'No such folder.'
      contract.endpoints.push({ ...contract.endpoints[0]!, name: 'readTeapot', path: '/teapot' })
    })
    assert.match(
      writePythonErrors(contract),
      /class Teapot\(ApiError\):\n {4}"""418\. Take coffee\."""\n\n {4}is_retryable = True\n {4}exit_code = 1/,
    )
    assert.match(writePythonErrors(contract), /^ {4}418: Teapot,$/m)
    const endpoints = writePythonEndpoints(contract)
    assert.match(endpoints, /NotFound: No such folder\./)
    assert.match(endpoints, /^READ_TEAPOT = Endpoint\("readTeapot", "\/teapot"/m)
    assert.equal(endpoints.match(/def read_teapot\(/g)?.length, 2)
  })

  test('given the contract, when the modules are written, then they are Python 3.9', () => {
    assertParses(describeContract())
  })
})
