/** A name or an IPv4 address, or an IPv6 address in brackets; both may have a port. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::(\d{0,5}))?$/i

/** A name with a closing dot and a port. */
const MAX_LENGTH = 253 + 1 + ':65535'.length

/** Whether a text can be the host of an address, as in the `Host` header: names with underscores too, which exist. */
export function isHost(text: string): boolean {
  const match = text.length <= MAX_LENGTH ? HOST.exec(text) : null
  return match !== null && Number(match[1] ?? 0) <= 65_535
}

/** The name in a host header: lower case, without port or closing dot. */
export const hostNameOf = (host = ''): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')

const HOST_LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i

/** Whether a text is a host name such as `acme.example.org`, without a port. */
export const isHostName = (text: string): boolean =>
  text.length <= 253 && text.split('.').every((label) => HOST_LABEL.test(label))
