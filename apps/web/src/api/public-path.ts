/** The path of the service's base URL without a closing slash: `/meadow`, or empty. */
export const findPublicPath = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="public-path"]')?.content ?? ''

/** The base URL of the service as this browser reaches it, without a closing slash. */
export const findServiceAddress = (): string => location.origin + findPublicPath()

/** The basename of the router: `/` when the page was opened past the proxy, directly at the server. */
export function findBasename(): string {
  const path = findPublicPath()
  return `${location.pathname}/`.startsWith(`${path}/`) ? path || '/' : '/'
}
