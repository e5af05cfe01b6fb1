import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@meadow/contract'
import { API_ENDPOINTS, API_ERRORS } from '@meadow/contract'
import { describeContract } from '@meadow/contract/description'
import { describeApi } from '@meadow/contract/openapi'
import { load, withoutCheck } from '../../../../../checks/load.ts'
import { startServer } from '../../testing/start-server.ts'

const SCHEMA_VALIDATOR = '@seriousme/openapi-schema-validator'

/** The contract's, and those that HTTP needs. */
const STATUSES: number[] = [
  ...[202, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 415, 416, 426, 429, 431, 500, 502, 503],
]

const references = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, item]) => (key === '$ref' ? [String(item)] : references(item)))

test('[OPENAPI-1] given the description, then the schema of OpenAPI 3.1 finds it valid, and finds what is not', {
  skip: withoutCheck(SCHEMA_VALIDATOR),
}, async (t) => {
  const { request } = await startServer(t)
  const { json } = await request('/openapi.json')
  assert.deepEqual(await findFaultsBySchema(json), [])
  const { description: _, ...without } = json.paths['/team'].get.responses[200]
  json.paths['/team'].get.responses[200] = without
  assert.ok((await findFaultsBySchema(json)).length > 0)
})

test('[OPENAPI-1] given the description, then Redocly, which shares no code with the schema, finds it valid, and finds what is not', {
  skip: withoutCheck('@redocly/openapi-core'),
}, async () => {
  const valid = JSON.parse(JSON.stringify(describeApi(describeContract(), undefined)))
  assert.deepEqual(await findFaultsByRedocly(valid), [])
  delete valid.paths['/team'].get.responses[200].description
  assert.deepEqual(await findFaultsByRedocly(valid), [
    'The field `description` must be present on this level.',
  ])
})

/** What the schema of the specification does not accept. */
async function findFaultsBySchema(description: object): Promise<unknown[]> {
  const { Validator } = await load(SCHEMA_VALIDATOR)
  const { valid, errors } = await new Validator().validate(structuredClone(description))
  return valid ? [] : [errors].flat()
}

/** What Redocly, which has rules of its own, finds. */
async function findFaultsByRedocly(description: object): Promise<string[]> {
  const { createConfig, lintFromString } = await load('@redocly/openapi-core')
  const config = await createConfig({ extends: ['spec'] })
  const problems: { message: string }[] = await lintFromString({
    source: JSON.stringify(description),
    config,
  })
  return problems.map(({ message }) => message)
}

test('[OPENAPI-6] given the contract, then each endpoint that it declares is described, and mounted by the server', async (t) => {
  const declared = Object.values(contract).filter(isEndpoint)
  assert.deepEqual(new Set(declared), new Set(API_ENDPOINTS))
  const { get } = await startServer(t)
  const { paths } = describeApi(describeContract(), undefined)
  assert.deepEqual(
    Object.values(paths).map((path) => path.get.operationId),
    API_ENDPOINTS.map(({ name }) => name),
  )
  for (const path of Object.keys(paths)) {
    const { json } = await get(path.replace(/\{\w+\}/g, 'nothing'))
    assert.notEqual(json.error, API_ERRORS.endpoint_not_found.sentence, path)
  }
})

const isEndpoint = (value: unknown): value is contract.Endpoint =>
  typeof value === 'object' && value !== null && 'scope' in value && 'path' in value

test('[C4] given the description, then it names every endpoint, its parameters and its errors', async (t) => {
  const { request } = await startServer(t)
  const { json } = await request('/openapi.json')
  assert.deepEqual(Object.keys(json.paths).sort(), [
    '/changes',
    '/documents',
    '/documents/{documentId}',
    '/documents/{documentId}/export',
    '/documents/{documentId}/solution',
    '/folders/{folderId}',
    '/team',
  ])
  const parametersOf = (path: string) =>
    json.paths[path].get.parameters.map(({ name }: { name: string }) => name)
  assert.deepEqual(parametersOf('/documents'), ['q', 'folderId', 'uses', 'If-None-Match'])
  assert.deepEqual(parametersOf('/documents/{documentId}/export'), [
    'documentId',
    'format',
    'modelerVersion',
    'If-None-Match',
  ])
  for (const { get } of Object.values<{ get: { responses: object } }>(json.paths)) {
    for (const status of ['200', '304', '401', '403', '405', '500'])
      assert.ok(status in get.responses, status)
  }
  const solution = json.paths['/documents/{documentId}/solution'].get
  assert.deepEqual(parametersOf('/documents/{documentId}/solution'), [
    'documentId',
    'includeGeometry',
    'format',
    'nodes',
    'fields',
    'Prefer',
    'If-None-Match',
  ])
  assert.deepEqual(
    Object.keys(solution.responses).map(Number),
    [200, 202, 304, 400, 401, 403, 404, 405, 408, 409, 429, 431, 500, 502, 503],
  )
  assert.deepEqual(solution.responses[200].content['application/json'].schema, {
    anyOf: [{ $ref: '#/components/schemas/Solution' }, { $ref: '#/components/schemas/BimDocument' }],
  })
})

test('given the description, then every reference in it leads somewhere', async (t) => {
  const { request } = await startServer(t)
  const { json } = await request('/openapi.json')
  for (const reference of references(json)) {
    assert.ok(json.components.schemas[reference.replace('#/components/schemas/', '')], reference)
  }
})

test('given the description, then its tuples are those of JSON Schema 2020-12', async (t) => {
  const { request } = await startServer(t)
  const { json } = await request('/openapi.json')
  const point = json.components.schemas.DataValue.anyOf.find(
    ({ properties }: { properties?: { type?: { const?: string } } }) => properties?.type?.const === 'point',
  )
  assert.deepEqual(point.properties.value, { $ref: '#/components/schemas/Xyz' })
  const { prefixItems, items, minItems } = json.components.schemas.Xyz
  assert.deepEqual([prefixItems.length, items, minItems], [3, false, 3])
  assert.deepEqual(listTuplesOfDraft7(json), [])
})

/** Schemas whose `items` are an array. */
const listTuplesOfDraft7 = (value: unknown): unknown[] => {
  if (typeof value !== 'object' || value === null) return []
  const found = 'items' in value && Array.isArray(value.items) ? [value] : []
  return [...found, ...Object.values(value).flatMap(listTuplesOfDraft7)]
}

test('[C4] given the description, then it has the headers that responses of each status have', async (t) => {
  const { request, get } = await startServer(t)
  const { json } = await request('/openapi.json')
  const responses = Object.values<{ get: { responses: Record<string, { headers: object }> } }>(
    json.paths,
  ).flatMap(({ get }) => Object.entries(get.responses))
  const needed: Record<string, string> = {
    200: 'ETag',
    202: 'Retry-After',
    304: 'ETag',
    401: 'WWW-Authenticate',
    405: 'Allow',
    429: 'Retry-After',
    503: 'Retry-After',
  }
  for (const [status, { headers }] of responses) {
    const names = Object.keys(headers)
    assert.ok(names.includes('X-Request-Id') && names.includes(needed[status] ?? names[0]!), status)
  }
  for (const [status, path, init] of [
    [200, '/team', {}],
    [401, '/team', { token: null }],
    [405, '/team', { method: 'POST' }],
  ] as const) {
    const response = await get(path, init)
    assert.equal(response.status, status)
    assert.ok(response.headers.has(needed[status]!) && response.headers.has('x-request-id'))
  }
})

test('[C7] given the errors, then each has a sentence, and its status is one that the contract lists or HTTP needs', () => {
  for (const [code, { status, sentence }] of Object.entries(API_ERRORS)) {
    assert.match(sentence, /^[A-Z].*[.]$/s, code)
    assert.ok(STATUSES.includes(status), code)
  }
})
