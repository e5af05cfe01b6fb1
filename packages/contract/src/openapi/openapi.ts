import {
  type Contract,
  type ContractEndpoint,
  type ContractError,
  type ContractParameter,
  type ContractWebhook,
  errorsByStatus,
} from '../description/describe-contract.ts'
import type { JsonSchema } from '../description/json-schema.ts'
import { type Headers, headersOf } from './headers.ts'

/** The OpenAPI 3.1 description of the API. */
export interface OpenApi {
  openapi: string
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, { get: Operation; head: Operation }>
  /** The webhooks by the type of their message. */
  webhooks: Record<string, { post: WebhookOperation }>
  components: { securitySchemes: Record<string, object>; schemas: Record<string, JsonSchema> }
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  deprecated?: true
  parameters: OpenApiParameter[]
  responses: Record<string, Response>
}

export interface WebhookOperation extends Pick<Operation, 'operationId' | 'summary' | 'parameters'> {
  security: []
  requestBody: { required: true; content: { 'application/json': { schema: JsonSchema } } }
  responses: Record<string, { description: string }>
}

export interface OpenApiParameter {
  name: string
  in: ContractParameter['in']
  required: boolean
  description?: string
  schema: JsonSchema
}

export interface Response {
  description: string
  headers: Headers
  /** Absent when the response has no body. */
  content?: { 'application/json': { schema: JsonSchema; examples?: Record<string, { value: ErrorBody }> } }
}

interface ErrorBody {
  error: string
}

const ERROR: JsonSchema = {
  type: 'object',
  description: 'Every response but 200 and 304.',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'A sentence. Branch on the status, not on the words.' },
  },
  additionalProperties: false,
}

/** Describes a contract as OpenAPI. The server's address is relative without a `baseUrl`. */
export const describeApi = (contract: Contract, baseUrl: string | undefined): OpenApi => ({
  openapi: '3.1.0',
  info: {
    title: contract.title,
    version: contract.version,
    description: contract.description,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: `${baseUrl ?? ''}${contract.prefix}` }],
  security: [{ token: [] }],
  paths: Object.fromEntries(
    contract.endpoints.map((endpoint) => {
      const get = describeOperation(endpoint, contract)
      return [endpoint.path, { get, head: toHead(get) }]
    }),
  ),
  webhooks: Object.fromEntries(
    contract.webhooks.map((webhook) => [webhook.type, { post: describeWebhook(webhook) }]),
  ),
  components: {
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description: `A team's API token. Scopes: ${listScopes(contract)}`,
      },
    },
    schemas: { ...contract.schemas, Error: ERROR },
  },
})

const listScopes = ({ scopes }: Contract): string =>
  scopes.map(({ name, description }) => `\`${name}\` (${description})`).join(', ')

const CONDITION: OpenApiParameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'An entity tag from an earlier answer: 304 when nothing changed.',
}

function describeOperation(endpoint: ContractEndpoint, contract: Contract): Operation {
  const { name, summary, description, scope, parameters, response } = endpoint
  return {
    operationId: name,
    summary,
    description: [description, `Scope: \`${scope}\`.`].filter(Boolean).join('\n\n'),
    ...(endpoint.deprecated && { deprecated: true }),
    parameters: [...parameters.map(describeParameter), CONDITION],
    responses: {
      200: {
        description: 'OK',
        headers: headersOf(endpoint, 200),
        content: { 'application/json': { schema: response } },
      },
      304: {
        description: 'Not changed since the entity tag that was sent.',
        headers: headersOf(endpoint, 304),
      },
      ...Object.fromEntries(
        errorsByStatus(endpoint, contract).map(([status, errors]) => [
          status,
          describeError(errors, headersOf(endpoint, status)),
        ]),
      ),
    },
  }
}

const describeParameter = ({ isRequired, ...parameter }: ContractParameter): OpenApiParameter => {
  const { name, in: where, description, schema } = parameter
  return {
    name,
    in: where,
    required: isRequired,
    ...(description !== undefined && { description }),
    schema,
  }
}

const describeWebhook = ({ type, summary, message }: ContractWebhook): WebhookOperation => ({
  operationId: `receive${type.replace(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}`,
  summary,
  // A receiver recognizes the sender by the signature, so there is no security scheme.
  security: [],
  parameters: MESSAGE_HEADERS,
  requestBody: { required: true, content: { 'application/json': { schema: message } } },
  responses: MESSAGE_ANSWERS,
})

const messageHeader = (name: string, description: string): OpenApiParameter => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string' },
})

const MESSAGE_HEADERS: OpenApiParameter[] = [
  messageHeader('webhook-id', 'The same each time that this message is sent.'),
  messageHeader('webhook-timestamp', 'When it is sent: seconds since 1970.'),
  messageHeader(
    'webhook-signature',
    'As Standard Webhooks has it: `v1,` and an HMAC-SHA256 in base64; two, with a space between, after the secret was replaced.',
  ),
]

const MESSAGE_ANSWERS = {
  '2XX': { description: 'The message is delivered.' },
  410: { description: 'The webhook is ended.' },
  default: { description: 'The message is sent again later.' },
}

/** Describes a response that is an error: it lists every sentence that it can have. */
const describeError = (errors: readonly ContractError[], headers: Headers): Response => ({
  description: errors.map(({ sentence }) => sentence).join(' · '),
  headers,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(
        errors.map(({ code, sentence }) => [code, { value: { error: sentence } }]),
      ),
    },
  },
})

/** Describes the same request with HEAD: it has the same statuses and headers, and no bodies. */
const toHead = ({ operationId, summary, parameters, responses, deprecated }: Operation): Operation => ({
  operationId: `${operationId}Head`,
  summary,
  description: 'Answers as GET does, without the body.',
  ...(deprecated && { deprecated }),
  parameters,
  responses: Object.fromEntries(
    Object.entries(responses).map(([status, { content: _, ...response }]) => [status, response]),
  ),
})
