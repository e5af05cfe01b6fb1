import {
  APP_PREFIX,
  type AppBody,
  type AppEndpoint,
  type AppQuery,
  type AppResponse,
  FRESH_SIGN_IN_NEEDED,
} from '@meadow/contract/web'
import { findPublicPath, isEmbedded } from './public-path.ts'

export type CallOptions<E extends AppEndpoint> = {
  /** The parameters of the endpoint's path, in the order of the path. */
  params?: readonly string[]
  query?: AppQuery<E>
  body?: AppBody<E>
  signal?: AbortSignal
}

/** Calls an endpoint of the web app's API. Throws an {@link ApiError}. */
export async function call<E extends AppEndpoint>(
  endpoint: E,
  { params, query, body, signal }: CallOptions<E> = {},
): Promise<AppResponse<E>> {
  const request = () =>
    send(urlOf(endpoint, params, query), {
      method: endpoint.method,
      ...(body !== undefined && encodeBody(body)),
      ...(signal && { signal }),
    })
  let response = await request()
  if (!response.ok) {
    const error = await readError(response)
    const isStale = error.status === 403 && error.message === FRESH_SIGN_IN_NEEDED
    if (!isStale || !(await askWho())) throw error
    response = await request()
    if (!response.ok) throw await readError(response)
  }
  return readBody(response) as AppResponse<E>
}

/** Asks the user to prove again who they are; false when they do not want to. */
type FreshSignInHandler = () => Promise<boolean>

let handler: FreshSignInHandler = async () => false
let asking: Promise<boolean> | undefined

/** Sets what asks the user when a request needs a fresh sign-in. Returns a function that removes it. */
export function handleFreshSignIn(ask: FreshSignInHandler): () => void {
  handler = ask
  return () => {
    handler = async () => false
  }
}

/** Asks once for all requests that wait for the answer. */
function askWho(): Promise<boolean> {
  asking ??= handler().finally(() => {
    asking = undefined
  })
  return asking
}

/** The URL of an endpoint with these values in its path and query. */
export function urlOf<E extends AppEndpoint>(
  { path }: E,
  params: readonly string[] = [],
  query?: AppQuery<E>,
): string {
  const values = [...params]
  const filled = path.replaceAll(/:\w+/g, () => encodeURIComponent(values.shift() ?? ''))
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
  return `${findPublicPath()}${APP_PREFIX}${filled}${search}`
}

/** Reads the file behind a link of an export, from the address of this page, whatever that of the link is. */
export async function readDownload(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const { pathname, search } = new URL(url)
  const response = await send(pathname + search, {})
  if (!response.ok) throw await readError(response)
  return new Uint8Array(await response.arrayBuffer())
}

/** A request that failed. The message is the server's own error sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status, or 0 if the server could not be reached. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The sentence to show for any error. Only the messages of {@link ApiError} are written for users. */
export function errorMessage(error: unknown): string {
  return error instanceof ApiError
    ? error.message
    : 'Something went wrong on this page. Reload it and try again.'
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    // Inside a frame, the page is shown as to a visitor, even where the browser would send a session.
    return await fetch(url, { ...init, credentials: isEmbedded() ? 'omit' : 'same-origin' })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError(0, 'The server cannot be reached. Check the connection and try again.')
  }
}

function encodeBody(body: unknown): Pick<RequestInit, 'headers' | 'body'> {
  return body instanceof Uint8Array
    ? { headers: { 'content-type': 'application/octet-stream' }, body: body as Uint8Array<ArrayBuffer> }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return isJson ? response.json() : new Uint8Array(await response.arrayBuffer())
}

async function readError(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => undefined)
  const message =
    typeof body?.error === 'string' ? body.error : `The server answered with ${response.status}.`
  return new ApiError(response.status, message)
}
