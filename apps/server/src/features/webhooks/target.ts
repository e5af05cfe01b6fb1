import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { MAX_WEBHOOK_URL } from '@meadow/contract/terms'
import ipaddr from 'ipaddr.js'
import { createNetworkMatcher } from '../../platform/networks.ts'

/** What the operator allows beside public addresses: addresses and networks, and host names in lower case. */
export interface AllowedTargets {
  readonly networks: readonly string[]
  readonly hosts: readonly string[]
}

/** Why a message cannot be sent to an address: a sentence for the owners of a team, which reveals nothing of the network. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}

/** A name to addresses, of both versions of IP. */
export type Lookup = (name: string, options: { isAllowed: boolean; signal: AbortSignal }) => Promise<string[]>

/** Decides where webhooks may lead. */
export interface Targets {
  /**
   * The address of a webhook as it is stored. Says what is wrong with it without asking for its name, whose addresses may
   * be others tomorrow. Throws a {@link TargetError}.
   */
  read(text: string): URL
  /**
   * Resolves with the only network addresses to connect to: each of them is public, or the operator allows it. Throws a
   * {@link TargetError}.
   */
  resolve(url: URL, signal: AbortSignal): Promise<string[]>
}

/** `variable`: what the operator allows targets with, which errors name. */
export function createTargets(allowed: AllowedTargets, variable: string, lookup: Lookup = lookUp): Targets {
  const notPublic = `is not public. The operator of this service can allow it (${variable}).`
  const isInNetworks = createNetworkMatcher(allowed.networks)
  const isListed = (url: URL) => allowed.hosts.includes(nameOf(url))
  const isReachable = (address: string) => isInNetworks(address) || (isPublic(address) && !isOwn(address))
  return {
    read(text) {
      const url = text.length <= MAX_WEBHOOK_URL ? URL.parse(text.trim()) : null
      if (!url || !['https:', 'http:'].includes(url.protocol) || url.hostname === '')
        throw new TargetError('The address must be one such as https://example.org/meadow.')
      if (url.username !== '' || url.password !== '')
        throw new TargetError('The address must not contain a user or password.')
      const literal = literalOf(url)
      const isTrusted = literal === undefined ? isListed(url) : isListed(url) || isInNetworks(literal)
      if (url.protocol === 'http:' && !isTrusted)
        throw new TargetError('The address must begin with https, so that nobody else reads the messages.')
      if (isTrusted) return withoutFragment(url)
      if (literal === undefined ? isLocalName(nameOf(url)) : !isReachable(literal))
        throw new TargetError(`The address ${notPublic}`)
      return withoutFragment(url)
    },
    async resolve(url, signal) {
      const isAllowed = isListed(url)
      const literal = literalOf(url)
      if (literal !== undefined) {
        if (!isAllowed && !isReachable(literal)) throw new TargetError(`The address ${notPublic}`)
        return [literal]
      }
      if (!isAllowed && isLocalName(nameOf(url))) throw new TargetError(`The address ${notPublic}`)
      const addresses = await lookup(nameOf(url), { isAllowed, signal })
      if (addresses.length === 0) throw new TargetError(`The name "${nameOf(url)}" could not be found.`)
      // All of them: a name that leads to a public and a private address is up to nothing good.
      if (!isAllowed && !addresses.every(isReachable))
        throw new TargetError(`The name "${nameOf(url)}" leads to an address that ${notPublic}`)
      return addresses
    },
  }
}

/** Returns the name as people and the operator write it, without the dot that may end it. */
const nameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')

/**
 * The address that the host is, in the one form in which it is compared. `URL` has turned every form of IPv4 (decimal,
 * octal, hexadecimal, short) into the usual one, and has rejected zones of IPv6.
 */
function literalOf({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.+)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}

function withoutFragment(url: URL): URL {
  url.hash = ''
  return url
}

/** Names that mean this machine or this network by convention (RFC 6761, 6762, 8375, and what ICANN reserves). */
const LOCAL = /(^|\.)(localhost|local|internal|home\.arpa|localdomain|lan|intranet|corp|home)$/

/** A name without a dot would be completed by whatever the machine is configured with. */
const isLocalName = (name: string): boolean => !name.includes('.') || LOCAL.test(name)

/**
 * Whether an address belongs to the internet at large. Everything else is refused, known or not: loopback, private and
 * link-local networks, multicast, what is reserved or for documentation, and IPv6 that leads to IPv4 (mapped, 6to4,
 * NAT64, Teredo).
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || parsed.toString() === AZURE) return false
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL)
}

/** The address that answers every machine at Azure from inside, though it looks public. */
const AZURE = '168.63.129.16'

/** All that is assigned to networks (RFC 4291); the rest of the space is reserved. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')

/** A public address of this machine leads to what listens here, past every proxy. */
const isOwn = (address: string): boolean => {
  const text = ipaddr.process(address).toString()
  return Object.values(networkInterfaces()).some((list) =>
    list?.some((one) => ipaddr.process(one.address.split('%')[0]!).toString() === text),
  )
}

/** The limits for both versions of IP together: a name server that does not respond must not hold up others. */
const LOOKUP = { timeout: 2000, tries: 2 }

/**
 * Asks the name servers themselves: unlike `getaddrinfo`, that takes no thread, of which a process has few, and never
 * completes a name. Names that the operator lists may be in /etc/hosts.
 */
const lookUp: Lookup = async (name, { isAllowed, signal }) => {
  if (isAllowed) {
    const { lookup } = await import('node:dns/promises')
    const found = await lookup(name, { all: true }).catch(() => [])
    return found.map(({ address }) => address)
  }
  return askNameServers(name, signal)
}

/** `servers`: the name servers to ask instead of those of the machine. */
export async function askNameServers(
  name: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<string[]> {
  const resolver = new Resolver(LOOKUP)
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
