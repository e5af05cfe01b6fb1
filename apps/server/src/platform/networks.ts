import { BlockList, isIP } from 'node:net'

/** Whether `text` is an IP address, or a network such as `10.0.0.0/8` or `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return false
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128))
}

/** Creates a function that returns whether an address is one of these addresses, or in one of these networks. */
export function createNetworkMatcher(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', length] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (length === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(length), family)
  }
  return (text = '') => {
    const address = plainAddress(text)
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
}

const MAPPED = '::ffff:'

/**
 * Returns an address as people write it: without a zone, and as IPv4 if a socket for both versions reported it as IPv6.
 */
export function plainAddress(address: string): string {
  const [plain = ''] = address.split('%', 1)
  return plain.startsWith(MAPPED) && plain.includes('.') ? plain.slice(MAPPED.length) : plain
}
