import type { IncomingMessage } from 'node:http'
import { API_PREFIX } from '@meadow/contract'
import { isHost } from './host.ts'

/** `http://host/path`, as a client writes it to a proxy, and as any server has to take it (RFC 9112, 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is

/** Percent-encodings of what never needs one: `/%61pi` is another way to write `/api` (RFC 3986, 6.2.2.2). */
const NEEDLESS = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi

/**
 * Brings the address of a request into the one form that all else relies on, and the host into its header: before it
 * is routed, before anybody asks whether it lies under the prefix. `basePath` is the part of the public address that
 * a proxy in front may leave in place.
 *
 * Nothing else is resolved. Dot segments, doubled and encoded slashes are parts of names that nothing here has, so
 * that no two programs on the way can come to different places.
 */
export function readAddress(request: IncomingMessage, basePath: string): void {
  const target = request.url ?? ''
  const absolute = target.startsWith('/') ? undefined : ABSOLUTE.exec(target)
  if (absolute) useHost(request, absolute[1]!)
  const [url = ''] = (absolute ? absolute[2]!.replace(/^(?!\/)/, '/') : target).split('#', 1)
  // What has another form, such as the asterisk of OPTIONS, is the name of nothing.
  request.url = withoutBase(readable(url.startsWith('/') ? url : `/${encodeURIComponent(url)}`), basePath)
}

/** The host of the address is the one that counts; it does not mend a header that has to be there and is not in order. */
function useHost(request: IncomingMessage, host: string): void {
  const { headers, httpVersion } = request
  if (headers.host === undefined ? httpVersion === '1.0' : isHost(headers.host)) headers.host = host
}

/**
 * The address with a path that can be decoded. Percent signs that encode nothing stand for themselves, so that such
 * an id is simply one that nothing has (decision 5), not a fault of its own.
 */
function readable(url: string): string {
  if (!url.includes('%')) return url
  const given = pathOf(url)
  const path = given.replace(NEEDLESS, (code) => decodeURIComponent(code))
  return (isDecodable(path) ? path : path.replaceAll('%', '%25')) + url.slice(given.length)
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

const withoutBase = (url: string, basePath: string): string =>
  basePath !== '' && !isUnderPrefix(url) && isBelow(url, basePath)
    ? url.slice(basePath.length).replace(/^(?!\/)/, '/')
    : url

/** The address without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** Whether a path that {@link readAddress} has read belongs to the API, or to what else lies below a prefix. */
export const isUnderPrefix = (url: string, prefix: string = API_PREFIX): boolean => isBelow(url, prefix)

const isBelow = (url: string, path: string): boolean =>
  url.startsWith(path) && (url.length === path.length || '/?'.includes(url[path.length]!))
