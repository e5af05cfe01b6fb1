import { API_PREFIX } from '@meadow/contract'

/** The address without its query. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

export function isUnderPrefix(url: string): boolean {
  return (
    url.startsWith(API_PREFIX) &&
    (url.length === API_PREFIX.length || '/?#'.includes(url[API_PREFIX.length]!))
  )
}

/**
 * The address with a path that can be decoded. Percent signs that encode nothing stand for themselves, so that such
 * an id is simply one that nothing has (decision 5), not a fault of its own.
 */
export function decodablePath(url: string): string {
  if (!url.includes('%')) return url
  const path = pathOf(url)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}
