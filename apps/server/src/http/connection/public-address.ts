import { isIPv6, type Socket } from 'node:net'
import { hostNameOf, isLoopback } from './address.ts'

/**
 * Returns the public address of this server, without a closing slash, for links: `baseUrl` if it is configured.
 * Otherwise the `Host` of the request is used if it certainly belongs to this server: a name of this machine, the
 * address that the connection arrived at, or the host name of the team whose link it is (`isHostOfTeam`). Any other
 * `Host` is only what a client wrote, and the link gets the address that the connection arrived at.
 */
export function publicAddress(
  baseUrl: string | undefined,
  { headers: { host = '' }, socket }: { headers: { host?: string | undefined }; socket: Socket },
  isHostOfTeam = false,
): string {
  if (baseUrl !== undefined) return baseUrl
  const listening = listeningHost(socket)
  const name = hostNameOf(host)
  const isOwn = isHostOfTeam || isLoopback(name) || name === listening
  return `http://${isOwn ? host : `${listening}:${socket.localPort}`}`
}

/** Returns the address that a connection arrived at, as a `Host` header has it. */
function listeningHost({ localAddress = '' }: Socket): string {
  // A socket for both families has IPv4 addresses in this form.
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, '')
  return isIPv6(address) ? `[${address}]` : address
}

/** Returns the path of the public address, without a closing slash: `/meadow`, or an empty string. */
export const publicPath = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/$/, '')

/** Returns where browsers send the cookies of this service to. */
export const cookieScopeOf = (baseUrl: string | undefined) => ({
  isSecure: baseUrl?.startsWith('https:') ?? false,
  path: publicPath(baseUrl) || '/',
})

/**
 * Lists the host names under which every team reaches this server, as far as the configuration names them. A team
 * cannot have one of them as its own, since the tokens of all other teams would be rejected there (decision 3).
 */
export function listOwnHosts({ baseUrl, host }: { baseUrl: string | undefined; host: string }): string[] {
  return [...(baseUrl === undefined ? [] : [new URL(baseUrl).host]), host].map(hostNameOf)
}
