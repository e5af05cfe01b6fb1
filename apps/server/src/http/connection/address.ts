import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import { API_PREFIX } from '@meadow/contract/terms'
import { createNetworkMatcher, plainAddress } from '../../platform/networks.ts'

/** `http://host/path`, as a client writes it to a proxy, and as any server has to accept it (RFC 9112, 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is

/** Percent-encodings of unreserved characters: `/%61pi` is another way to write `/api` (RFC 3986, 6.2.2.2). */
const NEEDLESS = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi

/**
 * Normalises the address of a request and writes its host into the `Host` header, before the request is routed and
 * before anything checks the prefix. `basePath` is the part of the public address that a proxy in front may leave in
 * place.
 *
 * Nothing else is resolved. Dot segments, doubled and encoded slashes are parts of names that do not exist here, so
 * that no two programs on the way can read the address differently.
 */
export function normalizeAddress(request: IncomingMessage, basePath: string): void {
  const target = request.url ?? ''
  const absolute = target.startsWith('/') ? undefined : ABSOLUTE.exec(target)
  if (absolute) setHost(request, absolute[1]!)
  const [url = ''] = (absolute ? absolute[2]!.replace(/^(?!\/)/, '/') : target).split('#', 1)
  // Other forms, such as the asterisk of OPTIONS, become a name that does not exist.
  const path = url.startsWith('/') ? url : `/${encodeURIComponent(url)}`
  request.url = stripBase(makeDecodable(path), basePath)
}

/** Replaces a valid `Host` header by the host of the address, which does not repair a missing or malformed header. */
function setHost(request: IncomingMessage, host: string): void {
  if (hasValidHost(request)) request.headers.host = host
}

/** Whether a request has a valid `Host` header, which HTTP/1.0 does not need. */
export const hasValidHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host === undefined ? httpVersion === '1.0' : isHost(headers.host)

/**
 * Returns the address with a path that can be decoded. Percent signs that encode nothing stand for themselves, so that
 * an id with them is simply one that does not exist (decision 5), not an error of its own.
 */
function makeDecodable(url: string): string {
  if (!url.includes('%')) return url
  const original = pathOf(url)
  const path = original.replace(NEEDLESS, (code) => decodeURIComponent(code))
  return (isDecodable(path) ? path : path.replaceAll('%', '%25')) + url.slice(original.length)
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

const stripBase = (url: string, basePath: string): string =>
  basePath !== '' && !isUnderPrefix(url) && isBelow(url, basePath)
    ? url.slice(basePath.length).replace(/^(?!\/)/, '/')
    : url

/** Returns the address without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** Whether a normalised path belongs to the API, or to another prefix. */
export const isUnderPrefix = (url: string, prefix: string = API_PREFIX): boolean => isBelow(url, prefix)

const isBelow = (url: string, path: string): boolean =>
  url.startsWith(path) && (url.length === path.length || '/?'.includes(url[path.length]!))

/** A name or an IPv4 address, or an IPv6 address in brackets; both may have a port. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::(\d{0,5}))?$/i

/** The length of the longest name with a closing dot and a port. */
const MAX_HOST_LENGTH = 253 + 1 + ':65535'.length

/** Whether a text is a valid `Host` header. Names with underscores are accepted, since they exist. */
export function isHost(text: string): boolean {
  const match = text.length <= MAX_HOST_LENGTH ? HOST.exec(text) : null
  return match !== null && Number(match[1] ?? 0) <= 65_535
}

/** Returns the name in a `Host` header: lower case, without port or closing dot. */
export const hostNameOf = (host = ''): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')

/** Whether a host name or address is that of the machine itself. */
export const isLoopback = (host: string): boolean =>
  /^(?:(?:[a-z0-9-]+\.)*localhost|::1|\[::1\])$/i.test(host) || (isIPv4(host) && host.startsWith('127.'))

const HOST_LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i

/** Whether a text is a host name such as `acme.example.org`, without a port. */
export const isHostName = (text: string): boolean =>
  text.length <= 253 && text.split('.').every((label) => HOST_LABEL.test(label))

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
    const { 'x-forwarded-for': forwardedFor, forwarded } = headers
    if ((forwardedFor === undefined && forwarded === undefined) || isTrusted(sender)) return
    isDone = true
    const header = forwardedFor === undefined ? 'Forwarded' : 'X-Forwarded-For'
    warn(
      `A request from ${sender} carries ${header}, and that address is not among MEADOW_TRUSTED_PROXIES, so the header ` +
        `is ignored. If it is your proxy, add it to MEADOW_TRUSTED_PROXIES; until then ${ONE_CLIENT} ` +
        'If it is not, there is nothing to do. This is logged once.',
    )
  }
}
