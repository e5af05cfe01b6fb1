import { createHmac, randomBytes } from 'node:crypto'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { VERSION } from '../../platform/version.ts'
import { TargetError, type Targets } from './target.ts'

/** A message as it is sent: see https://www.standardwebhooks.com. */
export interface SignedMessage {
  id: string
  /** JSON. */
  body: string
  /** `whsec_…`: each signs it, the current one first. */
  secrets: readonly string[]
}

/** What became of an attempt. */
export interface Attempt {
  /** `gone`: the receiver asks for nothing more (410). */
  outcome: 'delivered' | 'failed' | 'gone'
  /** Milliseconds since 1970. */
  at: number
  durationMs: number
  status: number | null
  /** A sentence. */
  error: string | null
  /** The first characters of the response. */
  response: string | null
  /** The receiver asks for no other attempt before. */
  retryAfterMs: number
}

export interface PostLimits {
  /** To look up the name, connect and agree on keys. */
  connectMs: number
  /** For the whole attempt. */
  totalMs: number
}

export const POST_LIMITS: PostLimits = { connectMs: 5000, totalMs: 15_000 }

const MAX_RESPONSE_BYTES = 1024
const MAX_RETRY_AFTER_MS = 24 * 3600 * 1000

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const createWebhookSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** The headers of a message that is sent at `at` (milliseconds since 1970). */
export function signMessage({ id, body, secrets }: SignedMessage, at: number): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}

/**
 * Sends a message once, over a connection of its own to an address that was checked. Never throws: what went wrong is in
 * the result. Redirects are not followed, proxies of the environment are not used, and no more of the response is read
 * than is kept.
 */
export async function postMessage(
  url: URL,
  message: SignedMessage,
  { targets, limits = POST_LIMITS, signal }: { targets: Targets; limits?: PostLimits; signal: AbortSignal },
): Promise<Attempt> {
  const at = Date.now()
  const start = performance.now()
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)])
  const end = (facts: Partial<Attempt> & Pick<Attempt, 'outcome'>): Attempt => ({
    ...{ at, status: null, error: null, response: null, retryAfterMs: 0, ...facts },
    durationMs: Math.round(performance.now() - start),
  })
  try {
    const connecting = AbortSignal.any([deadline, AbortSignal.timeout(limits.connectMs)])
    const addresses = await targets.resolve(url, connecting)
    const headers = signMessage(message, at)
    const response = await sendToFirst(url, addresses, {
      headers,
      body: message.body,
      limits,
      signal: deadline,
    })
    const { statusCode: status = 0 } = response
    const text = await readStart(response)
    return end({ ...judge(status), status, response: text, retryAfterMs: readRetryAfter(response) })
  } catch (error) {
    return end({ outcome: 'failed', error: describeError(error, limits) })
  }
}

interface Sending {
  headers: Record<string, string>
  body: string
  limits: PostLimits
  signal: AbortSignal
}

/** A name may lead to several addresses, of which the next is tried where no connection to one is possible. */
async function sendToFirst(
  url: URL,
  addresses: readonly string[],
  sending: Sending,
): Promise<IncomingMessage> {
  let failure: unknown
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    try {
      return await send(url, address, sending)
    } catch (error) {
      failure = error
      if (!(error instanceof NotConnectedError)) throw error
    }
  }
  throw failure
}

const MAX_ADDRESSES = 3

class NotConnectedError extends Error {}

function send(
  url: URL,
  address: string,
  { headers, body, limits, signal }: Sending,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let isConnected = false
  const options = {
    method: 'POST',
    // The address that was checked: no name is looked up again, whatever it leads to by now.
    host: address,
    port: url.port || (isSecure ? 443 : 80),
    path: url.pathname + url.search,
    // One that the environment does not configure, and that nothing else uses.
    agent: false,
    signal,
    headers: {
      host: url.host,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': `Meadow/${VERSION}`,
      'accept-encoding': 'identity',
      ...headers,
    },
  }
  const name = url.hostname.replace(/^\[(.+)\]$/, '$1')
  const request = isSecure
    ? requestHttps({ ...options, rejectUnauthorized: true, ...(name !== address && { servername: name }) })
    : requestHttp(options)
  const timer = setTimeout(() => request.destroy(new TimeoutError()), limits.connectMs)
  request.once('socket', (socket) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      isConnected = true
      clearTimeout(timer)
    })
  })
  request.once('response', resolve)
  request.once('close', () => clearTimeout(timer))
  // Also after the response: an error of a socket without a listener would end the process.
  request.on('error', (error) =>
    reject(isConnected ? error : new NotConnectedError('No connection.', { cause: error })),
  )
  request.end(body)
  return promise
}

class TimeoutError extends Error {}

/** The first characters; a response that ends too early or is too slow counts by its status all the same. */
async function readStart(response: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= MAX_RESPONSE_BYTES) break
    }
  } catch {
    // What has arrived is shown.
  }
  response.destroy()
  const text = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString('utf8')
  const shown = text.replaceAll(/[^\P{C}\n\t]/gu, '\ufffd').trim()
  return shown === '' ? null : shown
}

function judge(status: number): Pick<Attempt, 'outcome' | 'error'> {
  if (status >= 200 && status < 300) return { outcome: 'delivered', error: null }
  if (status === 410)
    return { outcome: 'gone', error: 'The receiver answered that it wants no more messages (410).' }
  if (status >= 300 && status < 400) {
    const error = `The receiver redirects (${status}), which is not followed: give the address that it leads to.`
    return { outcome: 'failed', error }
  }
  return { outcome: 'failed', error: `The receiver answered ${status}. It has to answer 200 to 299.` }
}

/** `Retry-After` in seconds, or as a date. */
function readRetryAfter({ headers: { 'retry-after': text } }: IncomingMessage): number {
  if (text === undefined) return 0
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Math.min(Math.max(ms, 0) || 0, MAX_RETRY_AFTER_MS)
}

/** Certificates that are not trusted, expired or for another name, and servers without TLS. */
const TLS_ERROR = /CERT|^ERR_(TLS|SSL)|^UNABLE_TO_|^EPROTO$/

function describeError(error: unknown, { connectMs, totalMs }: PostLimits): string {
  if (error instanceof TargetError) return error.message
  const isConnected = !(error instanceof NotConnectedError)
  const cause = (isConnected ? error : (error as Error).cause) as NodeJS.ErrnoException
  const { code = '', name = '' } = cause
  if (cause instanceof TimeoutError) return `No connection was possible within ${connectMs / 1000} seconds.`
  if (name === 'AbortError' || name === 'TimeoutError')
    return `The receiver did not answer within ${totalMs / 1000} seconds.`
  if (TLS_ERROR.test(code)) return `No secure connection is possible (${code}).`
  if (!isConnected) return `The receiver cannot be reached (${code || 'no connection'}).`
  if (code.startsWith('HPE_')) return `The receiver did not answer as HTTP requires (${code}).`
  return `The connection was lost before the receiver answered (${code || 'no answer'}).`
}
