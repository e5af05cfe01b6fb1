import type { IncomingMessage } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import { hostNameOf } from './host.ts'

/**
 * The public address of this server, without a closing slash, to put a path behind: `baseUrl` where one is configured,
 * else the address that this request came to.
 */
export function publicAddress(baseUrl: string | undefined, request: IncomingMessage): string {
  if (baseUrl !== undefined) return baseUrl
  return `http://${request.headers.host ?? listeningHost(request.socket)}`
}

const listeningHost = ({ localAddress = '', localPort }: Socket): string =>
  `${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`

/** The path that the public address begins with, without a closing slash: `/meadow`, or nothing. */
export const publicPath = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/$/, '')

/**
 * The host names under which every team reaches this server, as far as the configuration tells. No team can have one of
 * them for its own: the tokens of all others would be refused there (decision 3).
 */
export function listOwnHosts({ baseUrl, host }: { baseUrl: string | undefined; host: string }): string[] {
  return [...(baseUrl === undefined ? [] : [new URL(baseUrl).host]), host].map(hostNameOf)
}
