/** The path of this app to go to after signing in. Never another site, whatever the link says. */
export function ownPath(asked: string | null): string {
  if (!asked?.startsWith('/')) return '/'
  const { origin, pathname, search, hash } = new URL(asked, location.origin)
  return origin === location.origin ? `${pathname}${search}${hash}` : '/'
}
