/** The path that the service's address begins with, without a closing slash: `/meadow`, or nothing. */
export const findPublicPath = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="public-path"]')?.content ?? ''

/** Where the service is reached from here, without a closing slash, to put a path behind. */
export const findServiceAddress = (): string => location.origin + findPublicPath()

/** What the addresses of the pages begin with: nothing for those who come past the proxy, straight to the server. */
export function findBasename(): string {
  const path = findPublicPath()
  return `${location.pathname}/`.startsWith(`${path}/`) ? path || '/' : '/'
}
