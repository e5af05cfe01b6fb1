import { BlockList, isIP } from 'node:net'
import { isLoopback, ONE_CLIENT } from '../http/connection/address.ts'
import type { Misspelling } from './read-variables.ts'

/** The part of the configuration that decides who reaches what. */
export interface ExposedConfig {
  baseUrl: string | undefined
  /** The host and port that the server listens on; port 0 stands for any free port. */
  host: string
  port: number
  trustedProxies: readonly string[]
  metricsPort: number | undefined
  metricsToken: string | undefined
  misspellings: readonly Misspelling[]
}

/** A setting that is dangerous, though the service runs with it. */
export interface Exposure {
  what: 'proxy' | 'base URL' | 'encryption' | 'metrics' | 'variables'
  says: string
  remedy: string
}

/** Lists what the configuration exposes, which is logged when the server starts and found by `meadow-server doctor`. */
export function listExposures(config: ExposedConfig): Exposure[] {
  return [
    findUntrustedProxy(config),
    findMissingAddress(config),
    findUnencrypted(config),
    findOpenMetrics(config),
    ...config.misspellings.map(describeMisspelling),
  ].filter((found) => found !== undefined)
}

/**
 * Finds a proxy in front that is not trusted. The server speaks plain HTTP, so an https address belongs to a proxy, and
 * so does another port, or a public name while the server listens on the loopback address.
 */
function findUntrustedProxy({ baseUrl, host, port, trustedProxies }: ExposedConfig): Exposure | undefined {
  if (baseUrl === undefined || trustedProxies.length > 0) return undefined
  const url = new URL(baseUrl)
  const isElsewhere =
    url.protocol === 'https:' ||
    (port !== 0 && Number(url.port || 80) !== port) ||
    (isLoopback(host) && !isLoopback(url.hostname))
  if (!isElsewhere) return undefined
  return {
    what: 'proxy',
    says:
      `MEADOW_BASE_URL (${url.origin}) is not where this server listens, so a proxy is in front of it, and ` +
      'MEADOW_TRUSTED_PROXIES is not set.',
    remedy: `Set it to the address of the proxy, such as 127.0.0.1; until then ${ONE_CLIENT}`,
  }
}

function findMissingAddress({ baseUrl, host }: ExposedConfig): Exposure | undefined {
  if (baseUrl !== undefined || isLoopback(host)) return undefined
  return {
    what: 'base URL',
    says:
      `The server listens on ${host}, and MEADOW_BASE_URL is not set: links that it makes, such as invitations, have the ` +
      'network address of this machine, unless they are asked for at localhost or at the host name of their team.',
    remedy: 'Set MEADOW_BASE_URL to the address that people use.',
  }
}

function findUnencrypted({ baseUrl }: ExposedConfig): Exposure | undefined {
  if (baseUrl === undefined) return undefined
  const { protocol, hostname, origin } = new URL(baseUrl)
  if (protocol === 'https:' || isPrivate(hostname)) return undefined
  return {
    what: 'encryption',
    says: `MEADOW_BASE_URL (${origin}) is a public address without https: passwords, cookies and tokens can be read on the way.`,
    remedy: 'Put a proxy with a certificate in front, and set MEADOW_BASE_URL to its https address.',
  }
}

function findOpenMetrics({ baseUrl, host, metricsPort, metricsToken }: ExposedConfig): Exposure | undefined {
  const isReached = !isLoopback(host) || (baseUrl !== undefined && !isLoopback(new URL(baseUrl).hostname))
  if (metricsPort !== undefined || metricsToken !== undefined || !isReached) return undefined
  return {
    what: 'metrics',
    says: 'Everyone who reaches the server can read /metrics, unless a proxy keeps it back: how much is used, and when.',
    remedy:
      'Set MEADOW_METRICS_PORT (and MEADOW_METRICS_HOST) to an address that only monitoring reaches, or MEADOW_METRICS_TOKEN.',
  }
}

/** Whoever set it counts on a limit or a secret that is not there. */
const describeMisspelling = ({ name, meant }: Misspelling): Exposure => ({
  what: 'variables',
  says: `${name} is set and has no effect: Meadow has no variable of this name.`,
  remedy: `Set ${meant} if that was meant.`,
})

const PRIVATE_NETWORKS = new BlockList()
PRIVATE_NETWORKS.addSubnet('10.0.0.0', 8)
PRIVATE_NETWORKS.addSubnet('172.16.0.0', 12)
PRIVATE_NETWORKS.addSubnet('192.168.0.0', 16)
PRIVATE_NETWORKS.addSubnet('169.254.0.0', 16)
PRIVATE_NETWORKS.addSubnet('fc00::', 7, 'ipv6')
PRIVATE_NETWORKS.addSubnet('fe80::', 10, 'ipv6')

/** Names that only an internal network resolves. */
const INTERNAL_NAME = /^[^.]+$|\.(?:local|lan|internal|intranet|home\.arpa|test)$/

/** Whether an address can be that of an internal network. */
function isPrivate(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  if (family === 0) return isLoopback(hostname) || INTERNAL_NAME.test(hostname)
  return isLoopback(hostname) || PRIVATE_NETWORKS.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
