import type { Static, TObject, TSchema } from 'typebox'
import type { MemberRole } from '../members.ts'
import type { AppErrorCode } from './app-errors.ts'
import { None } from './bodies.ts'

/** The prefix of the web app's own endpoints, which are not part of the API and need a session. */
export const APP_PREFIX = '/app/v1'

/**
 * Who may call an endpoint. A role applies to the team of the path: `:teamId`, or the team of the folder, document, or
 * bin item that it names. A caller who is not a member gets the same 404 as for something that does not exist.
 * - `anyone`: no session is needed.
 * - `player`: anyone for a document that is public, or shared as its player; a viewer otherwise.
 * - `visitor`: anyone for a public document; a viewer otherwise.
 * - `person`: any signed-in user.
 */
export type Access = 'anyone' | 'player' | 'visitor' | 'person' | MemberRole

export type AppMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The declaration of an endpoint of the web app, shared by server and app. */
export interface AppEndpoint<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema | undefined = TSchema | undefined,
  Response extends TSchema = TSchema,
  Needs extends Access = Access,
> {
  readonly method: AppMethod
  /** The path relative to the prefix; `:name` stands for a parameter. */
  readonly path: string
  readonly needs: Needs
  /**
   * The caller must have proved within the last ten minutes who they are: by signing in, or again in their session.
   * Otherwise the response is 403 with the sentence of `fresh_sign_in_needed`, and the web app asks them.
   */
  readonly needsFreshSignIn?: true
  readonly params: Params
  readonly query: Query
  /** The schema of the body: JSON, or `Bytes`. Undefined: the request has no body. */
  readonly body: Body
  /** The schema of the response: JSON, `Bytes`, `Redirect`, or `Nothing` (204). */
  readonly response: Response
  /** The status of a response with a body; 200 when left out. */
  readonly status?: 201 | 202
  /** The errors of this endpoint, in addition to those of all endpoints with the same access. */
  readonly errors: readonly AppErrorCode[]
}

export type AppParams<E extends AppEndpoint> = Static<E['params']>
export type AppQuery<E extends AppEndpoint> = Static<E['query']>
export type AppBody<E extends AppEndpoint> = E['body'] extends TSchema ? Static<E['body']> : undefined
export type AppResponse<E extends AppEndpoint> = Static<E['response']>

/** The errors that any endpoint of the web app can return. */
export const COMMON_APP_ERRORS = [
  'token_outside_the_api',
  'request_from_another_site',
  'body_not_json',
  'media_type_not_accepted',
  'body_too_large',
  'request_not_acceptable',
  'stopping',
  'database_unavailable',
  'internal',
] as const satisfies readonly AppErrorCode[]

type Declaration<E extends AppEndpoint> = Omit<E, 'params' | 'query' | 'body' | 'errors'> &
  Partial<Pick<E, 'params' | 'query' | 'body' | 'errors'>>

/**
 * Declares an endpoint; the types of its requests and responses follow from the declaration. It has no parameters, no
 * body and no errors of its own unless it declares them.
 */
/* @__NO_SIDE_EFFECTS__ */
export const appEndpoint = <
  Response extends TSchema,
  const Needs extends Access,
  Params extends TObject = typeof None,
  Query extends TObject = typeof None,
  Body extends TSchema | undefined = undefined,
>(
  declaration: Declaration<AppEndpoint<Params, Query, Body, Response, Needs>>,
): AppEndpoint<Params, Query, Body, Response, Needs> =>
  Object.freeze({ params: None, query: None, body: undefined, errors: [], ...declaration } as never)
