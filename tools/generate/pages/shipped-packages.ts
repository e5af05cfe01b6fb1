/** A package of package-lock.json. */
export interface LockedPackage {
  name?: string
  version?: string
  license?: string
  /** Whether the package is installed for development only. */
  dev?: boolean
  /** Whether the package is a workspace. */
  link?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>

/**
 * The dependencies of the web app that only build and test it. The web app is built before it is served, so all of its
 * dependencies are installed for development only, but the files of the others are part of it.
 */
const WEB_TOOLS =
  /^(@types\/.*|@vitejs\/.*|vite|@sparticuz\/chromium|playwright-core|axe-core|fast-png|pixelmatch)$/

/** Returns the folders of the packages that are part of the service, the web app or a published package. */
export function listShippedFolders(packages: LockedPackages): Set<string> {
  const shipped = new Set(Object.keys(packages).filter((folder) => !packages[folder]!.dev))
  const inWeb = Object.keys(packages['apps/web']?.devDependencies ?? {}).filter(
    (name) => !WEB_TOOLS.test(name),
  )
  const waiting = inWeb.map((name) => findFolder(packages, name, 'apps/web'))
  const seen = new Set<string>()
  for (const folder of waiting) {
    if (folder === undefined || packages[folder]!.link || seen.has(folder)) continue
    seen.add(folder)
    shipped.add(folder)
    const { dependencies, optionalDependencies, peerDependencies } = packages[folder]!
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      waiting.push(findFolder(packages, name, folder))
  }
  return shipped
}

/** Returns the folder in which Node finds a dependency of the package in `folder`: the nearest folder that has it. */
export function findFolder(packages: LockedPackages, name: string, folder: string): string | undefined {
  const parts = folder.split('/')
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join('/')), '']
    .filter((parent) => !parent.endsWith('node_modules'))
    .map((parent) => `${parent && `${parent}/`}node_modules/${name}`)
    .find((place) => place in packages)
}
