import {
  APP_PREFIX,
  type AppBody,
  type AppEndpoint,
  type AppQuery,
  type AppResponse,
} from '@meadow/contract/web'
import { findPublicPath } from './public-path.ts'

/** What an endpoint wants to know. */
export type CallOptions<E extends AppEndpoint> = {
  /** The parameters of its path, in the order of the path. */
  params?: readonly string[]
  query?: AppQuery<E>
  body?: AppBody<E>
  signal?: AbortSignal
}

/** Asks an endpoint of the web app. Throws a {@link ApiError} with the server's sentence. */
export async function call<E extends AppEndpoint>(
  endpoint: E,
  { params, query, body, signal }: CallOptions<E> = {},
): Promise<AppResponse<E>> {
  const answer = await reach(urlOf(endpoint, params, query), {
    method: endpoint.method,
    ...(body !== undefined && bodyOf(body)),
    ...(signal && { signal }),
  })
  if (!answer.ok) throw await readError(answer)
  return readAnswer(answer) as AppResponse<E>
}

function bodyOf(body: unknown): Pick<RequestInit, 'headers' | 'body'> {
  return body instanceof Uint8Array
    ? { headers: { 'content-type': 'application/octet-stream' }, body: body as Uint8Array<ArrayBuffer> }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

async function readAnswer(answer: Response): Promise<unknown> {
  if (answer.status === 204) return undefined
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return isJson ? answer.json() : new Uint8Array(await answer.arrayBuffer())
}

/** Where an endpoint is, with these values in its path and query. */
export function urlOf<E extends AppEndpoint>(
  { path }: E,
  params: readonly string[] = [],
  query?: AppQuery<E>,
): string {
  const left = [...params]
  const filled = path.replaceAll(/:\w+/g, () => encodeURIComponent(left.shift() ?? ''))
  const asked = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const search = asked.length > 0 ? `?${new URLSearchParams(asked)}` : ''
  return `${findPublicPath()}${APP_PREFIX}${filled}${search}`
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError(0, 'The server cannot be reached. Check the connection and try again.')
  }
}

async function readError(answer: Response): Promise<ApiError> {
  const body = await answer.json().catch(() => undefined)
  const sentence = typeof body?.error === 'string' ? body.error : `The server answered with ${answer.status}.`
  return new ApiError(answer.status, sentence)
}

/** What the server answered instead of what was asked for. Its message is the server's own sentence. */
export class ApiError extends Error {
  override readonly name = 'Refusal'
  /** 0: the server could not be reached. */
  readonly status: number

  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}

/** What to show people of any failure. */
export function errorMessage(error: unknown): string {
  return error instanceof ApiError
    ? error.message
    : 'Something went wrong on this page. Reload it and try again.'
}
