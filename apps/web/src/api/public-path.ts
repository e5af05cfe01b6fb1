import { EMBED_META } from '@meadow/contract/web'

/** The path of the service's base URL without a closing slash: `/meadow`, or empty. */
export const findPublicPath = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="public-path"]')?.content ?? ''

/** Whether the page is the one that other sites may show in a frame. */
export const isEmbedded = (): boolean => document.querySelector(`meta[name="${EMBED_META}"]`) !== null

/** The base URL of the service as this browser reaches it, without a closing slash. */
export const findServiceAddress = (): string => location.origin + findPublicPath()

/** The basename of the router: `/` when the page was opened past the proxy, directly at the server. */
export function findBasename(): string {
  const path = findPublicPath()
  return `${location.pathname}/`.startsWith(`${path}/`) ? path || '/' : '/'
}
