import {
  API_ERRORS,
  API_PREFIX,
  type ApiErrorCode,
  COMMON_ERRORS,
  type Endpoint,
  SCOPES,
} from '@meadow/contract'
import type { TSchema } from 'typebox'

/** The OpenAPI 3.1 description, made of the routes' declarations; its server address is relative without a `baseUrl`. */
export function describeApi(
  endpoints: readonly Endpoint[],
  schemas: readonly TSchema[],
  baseUrl: string | undefined,
) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Meadow',
      version: '1',
      description:
        "A read-only JSON API over a team's folders, documents, solutions and exports. " +
        'The token determines the team. Nothing here changes anything, starts a solve or spends credits. ' +
        'HEAD answers like GET, without the body.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${baseUrl ?? ''}${API_PREFIX}` }],
    security: [{ token: [] }],
    paths: Object.fromEntries(
      endpoints.map((endpoint) => [openApiPath(endpoint), { get: operation(endpoint) }]),
    ),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: `A team's API token. Scopes: ${scopeList()}`,
        },
      },
      schemas: {
        ...Object.fromEntries(schemas.map((schema) => [idOf(schema), toComponent(schema)])),
        Error: {
          type: 'object',
          required: ['error'],
          properties: {
            error: { type: 'string', description: 'A sentence. Branch on the status, not on the words.' },
          },
          additionalProperties: false,
        },
      },
    },
  }
}

const scopeList = () =>
  Object.entries(SCOPES)
    .map(([scope, description]) => `\`${scope}\` (${description})`)
    .join(', ')

const openApiPath = (endpoint: Endpoint): string => endpoint.path.replace(/:(\w+)/g, '{$1}')

function operation(endpoint: Endpoint) {
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    description: [endpoint.description, `Scope: \`${endpoint.scope}\`.`].filter(Boolean).join('\n\n'),
    parameters: [
      ...parameters('path', endpoint.params),
      ...parameters('query', endpoint.query),
      ...parameters('header', endpoint.headers),
      ...CONDITIONS,
    ],
    responses: {
      200: {
        description: 'OK',
        headers: { ETag: ENTITY_TAG, ...COMMON_HEADERS },
        content: { 'application/json': { schema: toReference(endpoint.response) } },
      },
      304: {
        description: 'Not changed since the entity tag that was sent.',
        headers: { ETag: ENTITY_TAG, ...COMMON_HEADERS },
      },
      ...errorResponses([...COMMON_ERRORS, ...endpoint.errors]),
    },
  }
}

const header = (description: string, schema: object = { type: 'string' }) => ({ schema, description })

const ENTITY_TAG = header('Strong; send it back as If-None-Match.')
const RETRY_AFTER = header('Seconds after which to try again.', { type: 'integer' })

/** Headers of every response. */
const COMMON_HEADERS = {
  'X-Request-Id': header('Names the request in the log of the server; your own when you send one.'),
}

/** Headers of the responses with a status. */
const ERROR_HEADERS: Record<number, object> = {
  202: {
    'Retry-After': RETRY_AFTER,
    'Preference-Applied': header('`wait=N` when the response was held back as `Prefer` asked.'),
  },
  401: { 'WWW-Authenticate': header('`Bearer`') },
  405: { Allow: header('`GET, HEAD`') },
  429: { 'Retry-After': RETRY_AFTER },
  503: { 'Retry-After': RETRY_AFTER },
}

const CONDITIONS = [
  {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'An entity tag from an earlier answer: 304 when nothing changed.',
  },
]

function parameters(where: 'path' | 'query' | 'header', declared: Endpoint['headers']) {
  if (!declared) return []
  const required = new Set(declared.required as string[] | undefined)
  return Object.entries(declared.properties).map(([name, schema]) => ({
    name,
    in: where,
    required: where === 'path' || required.has(name),
    description: (schema as { description?: string }).description,
    schema: toReference(schema),
  }))
}

/** One response for each status, which lists every sentence that it can have. */
function errorResponses(codes: readonly ApiErrorCode[]) {
  const byStatus = Map.groupBy(codes, (code) => API_ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, causes]) => [
      status,
      {
        description: causes.map((code) => API_ERRORS[code].sentence).join(' · '),
        headers: { ...ERROR_HEADERS[Number(status)], ...COMMON_HEADERS },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(
              causes.map((code) => [code, { value: { error: API_ERRORS[code].sentence } }]),
            ),
          },
        },
      },
    ]),
  )
}

const idOf = (schema: object): string | undefined => (schema as { $id?: string }).$id

/** The schema with every named schema inside it replaced by a reference to its component. */
const toReference = (schema: object): unknown => {
  const id = idOf(schema)
  return id === undefined ? toComponent(schema) : { $ref: `#/components/schemas/${id}` }
}

function toComponent(schema: object): unknown {
  const { $id: _, $ref, ...rest } = schema as { $id?: string; $ref?: string }
  if ($ref !== undefined) return { $ref: `#/components/schemas/${$ref}` }
  return mapSchemas(toTuple(rest))
}

/** TypeBox declares tuples with an array of `items`; in JSON Schema 2020-12, OpenAPI's, these are `prefixItems`. */
function toTuple(schema: { items?: unknown; additionalItems?: unknown }): object {
  if (!Array.isArray(schema.items)) return schema
  const { items: prefixItems, additionalItems: items, ...rest } = schema
  return { ...rest, prefixItems, items }
}

function mapSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? toReference(item) : item))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      isObject(item) && !Array.isArray(item) ? toReference(item) : mapSchemas(item),
    ]),
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
