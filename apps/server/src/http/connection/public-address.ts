import type { IncomingMessage } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import { hostNameOf } from './address.ts'

/**
 * The public address of this server, without a closing slash: `baseUrl` where one is configured, else the address that
 * this request came to.
 */
export function publicAddress(baseUrl: string | undefined, request: IncomingMessage): string {
  if (baseUrl !== undefined) return baseUrl
  return `http://${request.headers.host ?? listeningHost(request.socket)}`
}

const listeningHost = ({ localAddress = '', localPort }: Socket): string =>
  `${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`

/** The path of the public address, without a closing slash: `/meadow`, or an empty string. */
export const publicPath = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/$/, '')

/**
 * The host names under which every team reaches this server, as far as the configuration names them. A team cannot have
 * one of them as its own: the tokens of all other teams would be rejected there (decision 3).
 */
export function listOwnHosts({ baseUrl, host }: { baseUrl: string | undefined; host: string }): string[] {
  return [...(baseUrl === undefined ? [] : [new URL(baseUrl).host]), host].map(hostNameOf)
}
