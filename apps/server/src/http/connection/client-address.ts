import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { createNetworkMatcher, plainAddress } from '../../platform/networks.ts'

/** What happens when the clients behind a proxy cannot be distinguished. */
export const ONE_CLIENT =
  'all people behind it count as one client, and 100 failed sign-ins of any of them lock out all of them for a quarter ' +
  'of an hour.'

/**
 * Returns the address of a request's client, like Fastify's `request.ip`: the sender or, when that is a trusted proxy,
 * the last untrusted entry of `X-Forwarded-For`. It is empty when it is not known.
 */
export type FindClientAddress = (sender: string | undefined, forwardedFor: string | undefined) => string

/** Returns the address of the client of a request. */
export const clientAddressOf = ({ socket, headers }: IncomingMessage, find: FindClientAddress): string =>
  find(socket.remoteAddress, headers['x-forwarded-for'] as string | undefined)

export function createFindClientAddress(trustedProxies: readonly string[]): FindClientAddress {
  const isTrusted = createNetworkMatcher(trustedProxies)
  return (sender = '', forwardedFor) => {
    if (forwardedFor === undefined || trustedProxies.length === 0) return plainAddress(sender)
    let address = sender
    for (const entry of forwardedFor.split(',').reverse()) {
      if (!isTrusted(address)) break
      address = entry.trim()
    }
    return isIP(address) === 0 ? '' : plainAddress(address)
  }
}

/**
 * Calls `warn` once, at the first request with `X-Forwarded-For` or `Forwarded` from a sender that is not a trusted
 * proxy. The header is ignored: the request counts as coming from its sender.
 */
export function createProxyWarning(
  trustedProxies: readonly string[],
  warn: (sentence: string) => void,
): (headers: IncomingHttpHeaders, sender: string | undefined) => void {
  const isTrusted = createNetworkMatcher(trustedProxies)
  let isDone = false
  return (headers, sender) => {
    if (isDone || sender === undefined) return
    const header = ['X-Forwarded-For', 'Forwarded'].find((name) => headers[name.toLowerCase()] !== undefined)
    if (header === undefined || isTrusted(sender)) return
    isDone = true
    warn(
      `A request from ${sender} carries ${header}, and that address is not among MEADOW_TRUSTED_PROXIES, so the header ` +
        `is ignored. If it is your proxy, add it to MEADOW_TRUSTED_PROXIES; until then ${ONE_CLIENT} ` +
        'If it is not, there is nothing to do. This is logged once.',
    )
  }
}
