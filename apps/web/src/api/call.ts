import {
  APP_PREFIX,
  type AppBody,
  type AppEndpoint,
  type AppQuery,
  type AppResponse,
} from '@meadow/contract/web'
import { ApiError } from './api-error.ts'
import { findPublicPath } from './public-path.ts'

/** What an endpoint wants to know. */
export type CallOf<E extends AppEndpoint> = {
  /** The parameters of its path, in the order of the path. */
  params?: readonly string[]
  query?: AppQuery<E>
  body?: AppBody<E>
  signal?: AbortSignal
}

/** Asks an endpoint of the web app. Throws a {@link ApiError} with the server's sentence. */
export async function call<E extends AppEndpoint>(
  endpoint: E,
  { params, query, body, signal }: CallOf<E> = {},
): Promise<AppResponse<E>> {
  const answer = await reach(addressOf(endpoint, params, query), {
    method: endpoint.method,
    ...(body !== undefined && bodyOf(body)),
    ...(signal && { signal }),
  })
  if (!answer.ok) throw await readRefusal(answer)
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
export function addressOf<E extends AppEndpoint>(
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

async function readRefusal(answer: Response): Promise<ApiError> {
  const body = await answer.json().catch(() => undefined)
  const sentence = typeof body?.error === 'string' ? body.error : `The server answered with ${answer.status}.`
  return new ApiError(answer.status, sentence)
}
