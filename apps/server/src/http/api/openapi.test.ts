import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ALL_SCOPES,
  API_ERRORS,
  BimDocument,
  NAMED_SCHEMAS,
  readDocument,
  readFolder,
  readTeam,
  Solution,
  searchDocuments,
} from '@meadow/contract'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { createTokenSecret } from '../../access/tokens.ts'
import { openDemoTeam } from '../../features/demo/demo-team.ts'
import { startServer } from '../../testing/start-server.ts'

/** The contract's, and those that HTTP needs. */
const STATUSES: number[] = [
  ...[202, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 415, 416, 426, 429, 431, 500, 502, 503],
]

const references = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, item]) => (key === '$ref' ? [String(item)] : references(item)))

test('[C4] given the description, then it names every endpoint, its parameters and its errors', async (t) => {
  const { request } = await startServer(t)
  const { json } = await request('/openapi.json')
  assert.deepEqual(Object.keys(json.paths).sort(), [
    '/documents',
    '/documents/{documentId}',
    '/documents/{documentId}/export',
    '/documents/{documentId}/solution',
    '/folders/{folderId}',
    '/team',
  ])
  const parametersOf = (path: string) =>
    json.paths[path].get.parameters.map(({ name }: { name: string }) => name)
  assert.deepEqual(parametersOf('/documents'), ['q', 'folderId', 'If-None-Match'])
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

test('[C2, D20, D24, D26] given the demo team, then every response has the shape that the contract declares', async (t) => {
  const { catalogue, service, request } = await startServer(t)
  // The demo is made where there is no team.
  await service.database.transaction(async (write) => {
    for (const table of ['token', 'folder', 'team'] as const) await write.deleteFrom(table).execute()
  })
  const { blobs, solving } = service
  const demo = await openDemoTeam(
    { catalogue, blobs, listDocuments: solving.store.listDocuments, solve: solving.request },
    () => {},
  )
  const token = createTokenSecret()
  await catalogue.changeTeam(demo!.team.key, (change) =>
    change.createToken({ name: 'Test', secret: token, scopes: ALL_SCOPES }),
  )
  /** A busy machine may need more than one wait for a solve. */
  async function getSolved(path: string): ReturnType<typeof request> {
    const response = await request(`/api/v1${path}`, { token, headers: { prefer: 'wait=30' } })
    return response.status === 202 ? getSolved(path) : response
  }
  const get = async (path: string) => (await getSolved(path)).json

  assertShape(readTeam.response, await get('/team'))
  const found = await get('/documents')
  assertShape(searchDocuments.response, found)
  assert.equal(found.documents.length, 15)
  for (const { id, folder } of found.documents) {
    assertShape(readFolder.response, await get(`/folders/${folder.id}`))
    assertShape(readDocument.response, await get(`/documents/${id}`))
    for (const query of ['', '?includeGeometry=true', '?format=bimz']) {
      const { status, json } = await getSolved(`/documents/${id}/solution${query}`)
      if (status !== 200) assert.ok(status === 409 || status === 502, String(status))
      else assertShape(query === '?format=bimz' ? BimDocument : Solution, json)
    }
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
