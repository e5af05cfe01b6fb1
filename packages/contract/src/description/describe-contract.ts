import { API_ENDPOINTS } from '../api-endpoints.ts'
import { COMMON_ERRORS, type Endpoint } from '../endpoint.ts'
import {
  API_ERRORS,
  type ApiErrorCode,
  missingScopeSentence,
  STATUS_ERRORS,
  type StatusError,
} from '../errors.ts'
import { NAMED_SCHEMAS } from '../named-schemas.ts'
import { SCOPES } from '../scopes.ts'
import { API_PREFIX } from '../terms.ts'
import { WEBHOOK_MESSAGES } from '../webhook-events.ts'
import { idOf, type JsonSchema, nameOfReference, toJsonSchema, toReference } from './json-schema.ts'

/** The contract as plain data, from which everything is generated that repeats it. It can be written as JSON. */
export interface Contract {
  title: string
  /** The version of the API, which is in its prefix. */
  version: string
  description: string
  prefix: string
  endpoints: ContractEndpoint[]
  /** The schemas by name. References in other schemas lead here. */
  schemas: Record<string, JsonSchema>
  errors: ContractError[]
  statuses: ContractStatus[]
  scopes: { name: string; description: string }[]
  webhooks: ContractWebhook[]
}

/** A message that the server sends to the webhooks of teams. */
export interface ContractWebhook {
  type: string
  summary: string
  message: JsonSchema
}

export interface ContractEndpoint {
  name: string
  /** The path relative to the prefix; `{name}` stands for a parameter. */
  path: string
  summary: string
  description?: string
  scope: string
  /** The parameters of the path come first, in its order. */
  parameters: ContractParameter[]
  response: JsonSchema
  /** The only member of the response, whose value the SDKs return. Absent: they return the response. */
  member?: string
  /** The query parameter that decides between schemas of the response: for each of its values the name of one. */
  variants?: { parameter: string; schemas: Record<string, string> }
  /** Since when it is deprecated, and when it ends: days in UTC. */
  deprecated?: { since: string; sunset?: string }
  /** The codes of the errors that the endpoint can return, those that every endpoint can return included. */
  errors: string[]
}

export interface ContractParameter {
  name: string
  in: 'path' | 'query' | 'header'
  isRequired: boolean
  description?: string
  schema: JsonSchema
}

export interface ContractError {
  /** The code is for logs and tests; it never reaches the wire. */
  code: string
  status: number
  sentence: string
}

/** A status that is an error of its own class. */
export type ContractStatus = { -readonly [Key in keyof StatusError]: StatusError[Key] } & { status: number }

/** The contract, as it is declared. Each call returns data of its own. */
export const describeContract = (): Contract =>
  structuredClone({
    title: 'Meadow',
    version: API_PREFIX.slice(API_PREFIX.lastIndexOf('v') + 1),
    description:
      "A read-only JSON API over a team's folders, documents, solutions and exports. " +
      'The token determines the team. Nothing here changes anything, starts a solve or spends credits. ' +
      'HEAD answers like GET, without the body.',
    prefix: API_PREFIX,
    endpoints: API_ENDPOINTS.map(describeEndpoint),
    schemas: Object.fromEntries(NAMED_SCHEMAS.map((schema) => [idOf(schema), toJsonSchema(schema)])),
    errors: Object.entries(API_ERRORS).map(([code, error]) => ({ code, ...error })),
    statuses: Object.entries(STATUS_ERRORS).map(([status, error]) => ({ status: Number(status), ...error })),
    scopes: Object.entries(SCOPES).map(([name, description]) => ({ name, description })),
    webhooks: Object.entries(WEBHOOK_MESSAGES).map(([type, schema]) => {
      const { description: summary = '', ...message } = toJsonSchema(schema)
      return { type, summary, message }
    }),
  })

function describeEndpoint(endpoint: Endpoint): ContractEndpoint {
  const { name, path, summary, description, scope, variants, deprecated } = endpoint
  const response = toReference(endpoint.response)
  const members = Object.keys(response.properties ?? {})
  return {
    name,
    path: path.replace(/:(\w+)/g, '{$1}'),
    summary,
    ...(description !== undefined && { description }),
    scope,
    parameters: [
      ...describeParameters('path', endpoint.params),
      ...describeParameters('query', endpoint.query),
      ...describeParameters('header', endpoint.headers),
    ],
    response,
    ...(members.length === 1 && { member: members[0]! }),
    ...(variants && { variants }),
    ...(deprecated && { deprecated }),
    errors: [...COMMON_ERRORS, ...endpoint.errors] satisfies ApiErrorCode[],
  }
}

function describeParameters(
  where: ContractParameter['in'],
  declared: Endpoint['headers'],
): ContractParameter[] {
  const required = new Set(declared?.required as string[] | undefined)
  return Object.entries(declared?.properties ?? {}).map(([name, declaration]) => {
    const { description, ...schema } = toReference(declaration)
    return {
      name,
      in: where,
      isRequired: where === 'path' || required.has(name),
      ...(description !== undefined && { description }),
      schema,
    }
  })
}

/** Returns the schema that a reference leads to. Returns any other schema as it is. */
export const resolve = (schema: JsonSchema, { schemas }: Pick<Contract, 'schemas'>): JsonSchema =>
  schema.$ref === undefined ? schema : schemas[nameOfReference(schema.$ref)]!

/**
 * Returns the errors of an endpoint by status, in the order of the statuses. `scope_missing` names the endpoint's
 * scope.
 */
export function errorsByStatus(
  { errors, scope }: ContractEndpoint,
  contract: Pick<Contract, 'errors'>,
): [status: number, errors: ContractError[]][] {
  const listed = contract.errors
    .filter(({ code }) => errors.includes(code))
    .map((error) =>
      error.code === 'scope_missing' ? { ...error, sentence: missingScopeSentence(scope) } : error,
    )
  const statuses = [...new Set(listed.map(({ status }) => status))].sort((a, b) => a - b)
  return statuses.map((status) => [status, listed.filter((error) => error.status === status)])
}
