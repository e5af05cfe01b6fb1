import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { NotConnectedError, type OutboundPost, postOutbound } from '../../platform/outbound.ts'
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
  /** How long the receiver asks to wait before another attempt. */
  retryAfterMs: number
}

export interface PostLimits {
  /** The time limit for looking up the name, connecting and agreeing on keys. */
  connectMs: number
  /** The time limit of the whole attempt. */
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
    const response = await sendToFirst(addresses, {
      url,
      headers: { 'accept-encoding': 'identity', ...signMessage(message, at) },
      body: message.body,
      connectMs: limits.connectMs,
      signal: deadline,
    })
    const { statusCode: status = 0 } = response
    const text = await readStart(response)
    return end({ ...judge(status), status, response: text, retryAfterMs: readRetryAfter(response) })
  } catch (error) {
    return end({ outcome: 'failed', error: describeError(error, limits) })
  }
}

/** A name may lead to several addresses, of which the next is tried where no connection to one is possible. */
async function sendToFirst(addresses: readonly string[], message: OutboundPost): Promise<IncomingMessage> {
  let failure: unknown
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    try {
      return await postOutbound({ ...message, address })
    } catch (error) {
      failure = error
      if (!(error instanceof NotConnectedError)) throw error
    }
  }
  throw failure
}

const MAX_ADDRESSES = 3

/** Reads the first characters; a response that ends too early or is too slow counts by its status all the same. */
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

function describeError(error: unknown, { connectMs, totalMs }: PostLimits): string {
  if (error instanceof TargetError) return error.message
  if (error instanceof NotConnectedError && error.reason !== 'aborted') {
    if (error.reason === 'timeout') return `No connection was possible within ${connectMs / 1000} seconds.`
    if (error.reason === 'tls') return `No secure connection is possible (${error.code}).`
    return `The receiver cannot be reached (${error.code || 'no connection'}).`
  }
  const { code = '', name = '' } = error as NodeJS.ErrnoException
  if (error instanceof NotConnectedError || name === 'AbortError' || name === 'TimeoutError')
    return `The receiver did not answer within ${totalMs / 1000} seconds.`
  if (code.startsWith('HPE_')) return `The receiver did not answer as HTTP requires (${code}).`
  return `The connection was lost before the receiver answered (${code || 'no answer'}).`
}
