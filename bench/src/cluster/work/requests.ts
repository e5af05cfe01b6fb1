import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpRequest, type HttpResponse, sendRequest } from '../../harness/request.ts'
import type { NamedServer } from '../parts/cluster.ts'
import type { Ledger } from './ledger.ts'

/** The time in milliseconds after which a request has failed. */
const TIMEOUT_MS = 30_000
const RETRY_MS = 200

/**
 * Sends a request. Resolves with undefined when it failed, which is noted: it has no response, or one with a status
 * from 500 on that is not in `accepted`.
 */
export async function send(
  server: NamedServer,
  request: HttpRequest,
  ledger: Ledger,
  accepted?: number,
): Promise<HttpResponse | undefined> {
  ledger.count('requests')
  const what = `${server.name}: ${request.method ?? 'GET'} ${request.path}`
  try {
    const response = await sendRequest(server, request, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (response.status < 500 || response.status === accepted) return response
    ledger.fail(`${what} answered ${response.status}: ${response.body.toString().slice(0, 200)}`)
  } catch (error) {
    ledger.fail(`${what} failed: ${(error as Error).message}`)
  }
  return undefined
}

/** Sends a request repeatedly until it is answered. Resolves with undefined when the signal aborts before that. */
export async function sendUntilAnswered(
  pickServer: () => NamedServer,
  request: HttpRequest,
  ledger: Ledger,
  signal: AbortSignal,
  accepted?: number,
): Promise<HttpResponse | undefined> {
  while (!signal.aborted) {
    const response = await send(pickServer(), request, ledger, accepted)
    if (response) return response
    await pause(RETRY_MS, signal)
  }
  return undefined
}

/** Waits, at most until the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => {})
