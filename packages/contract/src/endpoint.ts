import type { Static, TObject, TSchema } from 'typebox'
import type { ApiErrorCode } from './errors.ts'
import type { Scope } from './scopes.ts'

/** What all endpoints under /api/v1 have in common, for the server, OpenAPI and the client. */
export interface Endpoint<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Response extends TSchema = TSchema,
> {
  /** Names the operation in OpenAPI and in the client. */
  readonly name: string
  /** The path relative to the prefix; `:name` stands for a parameter. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly scope: Scope
  readonly params: Params
  /** The query parameters, for documentation; contract part 7 rule 1 lists the only values that are rejected. */
  readonly query: Query
  /** The request headers besides those of every endpoint, for documentation only. */
  readonly headers?: TObject
  readonly response: Response
  /** The query parameter that decides between the schemas of the response, and the named schema for each of its values. */
  readonly variants?: { readonly parameter: string; readonly schemas: Readonly<Record<string, string>> }
  /** Since when the endpoint is deprecated, and when it ends: responses and OpenAPI say so. */
  readonly deprecated?: Deprecation
  /** The errors of this endpoint, in addition to those of every endpoint (`COMMON_ERRORS`). */
  readonly errors: readonly ApiErrorCode[]
}

/** Days in the form `2027-01-31`; they begin at midnight in UTC. */
export interface Deprecation {
  readonly since: string
  /** When the endpoint ends; absent while that is not decided. */
  readonly sunset?: string
}

export type ParamsOf<E extends Endpoint> = Static<E['params']>
export type ResponseOf<E extends Endpoint> = Static<E['response']>

/** The errors that any endpoint can return, including those of requests that are not valid HTTP. */
export const COMMON_ERRORS = [
  'token_missing',
  'token_not_valid',
  'token_of_another_team',
  'address_not_allowed',
  'scope_missing',
  'method_not_allowed',
  'too_many_requests',
  'share_exceeded',
  'internal',
  'overloaded',
  'database_unavailable',
  'request_not_readable',
  'address_not_readable',
  'host_not_valid',
  'request_timed_out',
  'headers_too_large',
] as const satisfies readonly ApiErrorCode[]

/** Declares an endpoint; the types of its parameters and response follow from the declaration. */
export const endpoint = <Params extends TObject, Query extends TObject, Response extends TSchema>(
  declaration: Endpoint<Params, Query, Response>,
): Endpoint<Params, Query, Response> => Object.freeze(declaration)
