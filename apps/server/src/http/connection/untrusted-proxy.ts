import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Log } from '../../platform/log.ts'

/** The part of the configuration that is checked. */
interface Addresses {
  baseUrl: string | undefined
  /** What the server listens on; port 0 for any free port. */
  host: string
  port: number
  trustedProxies: readonly string[]
}

const CONSEQUENCE =
  'all people behind it count as one client, and 100 failed sign-ins of any of them lock out all of them for a quarter ' +
  'of an hour.'

/**
 * The warning for the operator when the configuration shows that an untrusted proxy is in front; undefined otherwise.
 * The server speaks plain HTTP, so an https address is that of a proxy, and so is another port, or a public name while
 * the server listens on the loopback address.
 */
export function findUntrustedProxy({ baseUrl, host, port, trustedProxies }: Addresses): string | undefined {
  if (baseUrl === undefined || trustedProxies.length > 0) return undefined
  const url = new URL(baseUrl)
  const isElsewhere =
    url.protocol === 'https:' ||
    (port !== 0 && Number(url.port || 80) !== port) ||
    (isLoopback(host) && !isLoopback(url.hostname))
  if (!isElsewhere) return undefined
  return (
    `MEADOW_BASE_URL (${url.origin}) is not where this server listens, so a proxy is in front of it, and ` +
    'MEADOW_TRUSTED_PROXIES is not set. Set it to the address of the proxy, such as 127.0.0.1; until then ' +
    CONSEQUENCE
  )
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

/**
 * Warns once, at the first request with `X-Forwarded-For` or `Forwarded` from a sender that is not a trusted proxy. The
 * header is ignored: the request counts as coming from its sender.
 */
export function createProxyWarning(
  trustedProxies: readonly string[],
  log: Pick<Log, 'warn'>,
): (headers: IncomingHttpHeaders, sender: string | undefined) => void {
  const isTrusted = createProxyMatcher(trustedProxies)
  let isDone = false
  return (headers, sender) => {
    if (isDone || sender === undefined) return
    const header = ['X-Forwarded-For', 'Forwarded'].find((name) => headers[name.toLowerCase()] !== undefined)
    if (header === undefined || isTrusted(sender)) return
    isDone = true
    log.warn(
      `A request from ${sender} carries ${header}, and that address is not among MEADOW_TRUSTED_PROXIES, so the header ` +
        `is ignored. If it is your proxy, add it to MEADOW_TRUSTED_PROXIES; until then ${CONSEQUENCE} ` +
        'If it is not, there is nothing to do. This is logged once.',
    )
  }
}

/** Whether a request comes from one of these addresses and networks. */
export function createProxyMatcher(
  trustedProxies: readonly string[],
): (sender: string | undefined) => boolean {
  const trusted = new BlockList()
  for (const proxy of trustedProxies) {
    const [address = '', length] = proxy.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (length === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(length), family)
  }
  return (sender = '') => trusted.check(sender, isIP(sender) === 6 ? 'ipv6' : 'ipv4')
}
