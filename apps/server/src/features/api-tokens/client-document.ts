import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { isLoopback } from '../../http/connection/address.ts'
import { cleanName } from '../../platform/database/names.ts'
import { limitEntries } from '../../platform/limit-entries.ts'
import { openOutbound } from '../../platform/outbound.ts'
import { VERSION } from '../../platform/version.ts'
import { OAuthError } from './oauth-error.ts'

/** A program that gets its answer in a browser, as the document at its address describes it. */
export interface OAuthClient {
  /** What it calls itself, and the host of its document. */
  name: string
  redirectUris: readonly string[]
}

/**
 * Resolves with the client whose document is at an address (draft-ietf-oauth-client-id-metadata-document). Rejects with
 * an {@link OAuthError}.
 */
export type GetClient = (id: string) => Promise<OAuthClient>

/** Why a program cannot get its answer in a browser: a sentence for the person in front of it. */
const clientError = (sentence: string, cause?: unknown) =>
  new OAuthError('invalid_client', sentence, cause === undefined ? {} : { cause })

const MAX_BYTES = 10 * 1024
const MAX_NAME_LENGTH = 80
/** The time limit for looking up the name, connecting and reading, in milliseconds. */
const LIMIT_MS = 5000
const MAX_CLIENTS = 200
/** How many addresses of a name are tried. */
const MAX_ADDRESSES = 3
/** How long a document is used again, in milliseconds: unless it says how long, and at most. */
const KEPT_MS = 5 * 60_000
const MAX_KEPT_MS = 24 * 3_600_000

/** `resolve`: the network addresses that may be connected to for an address; rejects when there is none. */
export function createGetClient(resolve: (url: URL, signal: AbortSignal) => Promise<string[]>): GetClient {
  const known = new LRUCache<string, OAuthClient>(limitEntries(MAX_CLIENTS))
  return async (id) => {
    const kept = known.get(id)
    if (kept) return kept
    const url = readClientId(id)
    const { text, keptMs } = await fetchDocument(url, resolve)
    const client = readDocument(id, url, text)
    if (keptMs > 0) known.set(id, client, { ttl: keptMs })
    return client
  }
}

/** Whether a client may get its answer at an address: one that it lists, on a loopback address with any port (RFC 8252, 7.3). */
export function isRedirectOf({ redirectUris }: OAuthClient, uri: string): boolean {
  const url = URL.parse(uri)
  if (!url || uri.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return redirectUris.includes(uri)
  const wanted = withoutPort(uri)
  return (
    url.protocol === 'http:' &&
    isLoopback(url.hostname) &&
    redirectUris.some((listed) => withoutPort(listed) === wanted)
  )
}

function withoutPort(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (url) url.port = ''
  return url?.href
}

/** An address has one form only, since it is compared as text. */
function readClientId(id: string): URL {
  const url = URL.parse(id)
  if (url?.protocol !== 'https:' || url.href !== id || url.pathname === '/' || id.includes('#'))
    throw clientError(
      'The client_id has to be the https address of a document that describes the program, such as https://assistant.example/oauth/client.json.',
    )
  if (url.username !== '' || url.password !== '')
    throw clientError('The client_id must not contain a user or password.')
  return url
}

/** Redirects are not followed: the address is the identity of the program. */
async function fetchDocument(
  url: URL,
  resolve: (url: URL, signal: AbortSignal) => Promise<string[]>,
): Promise<{ text: string; keptMs: number }> {
  const signal = AbortSignal.timeout(LIMIT_MS)
  try {
    const response = await getFirst(url, await resolve(url, signal), signal)
    if (response.statusCode !== 200) {
      response.destroy()
      throw clientError(
        `The document of the program at ${url.host} was answered with ${response.statusCode}.`,
      )
    }
    return { text: await readAll(response, url), keptMs: readLife(response.headers['cache-control']) }
  } catch (error) {
    if (error instanceof OAuthError) throw error
    throw clientError(`The document of the program at ${url.host} cannot be read from here.`, error)
  }
}

/** A name may lead to several addresses, of which the next is tried where there is no answer. */
async function getFirst(
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const headers = { accept: 'application/json', 'user-agent': `Meadow/${VERSION}` }
  let failure: unknown
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    const request = openOutbound({ method: 'GET', url, address, headers, signal })
    // A socket error without a listener would end the process.
    request.on('error', () => {})
    request.end()
    try {
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      return response
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

async function readAll(response: IncomingMessage, { host }: URL): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES)
      throw clientError(`The document of the program at ${host} has more than ${MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Reads how long a document may be used again, in milliseconds. */
function readLife(cacheControl = ''): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return 0
  const seconds = /\bmax-age="?(\d{1,9})/i.exec(cacheControl)?.[1]
  return seconds === undefined ? KEPT_MS : Math.min(Number(seconds) * 1000, MAX_KEPT_MS)
}

function readDocument(id: string, { host }: URL, text: string): OAuthClient {
  const refuse = (what: string): never => {
    throw clientError(`The document of the program at ${host} ${what}.`)
  }
  const { client_id, client_name, redirect_uris, ...more } =
    parseObject(text) ?? refuse('is not a JSON object')
  if (client_id !== id) refuse('describes another program: its client_id is not its address')
  if (typeof client_name !== 'string' || client_name.trim() === '') refuse('has no client_name')
  if (!Array.isArray(redirect_uris) || !redirect_uris.every((uri) => typeof uri === 'string'))
    refuse('has no list redirect_uris')
  if ('client_secret' in more) refuse('has a client_secret, which everyone can read')
  if ((more.token_endpoint_auth_method ?? 'none') !== 'none')
    refuse('asks for a token_endpoint_auth_method other than none, which is not offered')
  const name = cleanName((client_name as string).trim().slice(0, MAX_NAME_LENGTH))
  return { name: `${name} (${host})`, redirectUris: redirect_uris as string[] }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
