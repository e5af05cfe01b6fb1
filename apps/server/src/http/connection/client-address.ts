import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { createNetworkMatcher, plainAddress } from '../../platform/networks.ts'

/**
 * The address of a request's client: of its sender, or what the last untrusted entry of `X-Forwarded-For` says when a
 * trusted proxy sent it, as Fastify's `request.ip`. Empty when it is not known.
 */
export type FindClientAddress = (sender: string | undefined, forwardedFor: string | undefined) => string

/** The address of the client of a request. */
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
