import { existsSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'

/** The packages of most modules among those that a command loads. They read no files and import no other package. */
const PACKAGES = ['@opentelemetry/api', 'kysely', 'typebox']

/** Where a package has what it exports: a path, or one for each condition. */
type Target = string | { import?: Target; default: Target }

/**
 * Replaces the ECMAScript modules of some packages in a folder node_modules by one for each address that they export and
 * a few that these share, since Node.js takes most of a millisecond to find and link a module (decision record 0106).
 * Packages that are not there are left out. Nothing happens without Rolldown, which is a development dependency.
 */
export async function bundleModules(folder: string): Promise<void> {
  const rolldown = await import('rolldown').catch(() => undefined)
  if (!rolldown) return
  for (const name of PACKAGES) {
    const root = join(folder, name)
    const manifest = join(root, 'package.json')
    if (!existsSync(manifest)) continue
    const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as { exports: Record<string, Target> }
    await bundlePackage(rolldown, root, Object.values(exports).map(findModule))
  }
}

/** Returns the path of what `import` gets, without the leading dot. */
function findModule(target: Target): string {
  if (typeof target === 'string') return target.replace(/^\.\//, '')
  return findModule(target.import ?? target.default)
}

async function bundlePackage({ rolldown }: typeof import('rolldown'), root: string, entries: string[]) {
  const extension = extname(entries[0]!)
  const nameOf = (path: string) => path.slice(0, -extension.length)
  await using build = await rolldown({
    input: Object.fromEntries(entries.map((path) => [nameOf(path), join(root, path)])),
    platform: 'node',
  })
  const made = join(root, '.bundled')
  const { output } = await build.write({
    dir: made,
    entryFileNames: `[name]${extension}`,
    chunkFileNames: `${dirname(entries[0]!)}/[name]-[hash]${extension}`,
  })
  // Shared modules first, so that what is there works at any moment. Files are replaced and not written to, since
  // another installation may have links to them.
  const written = output
    .toSorted((a, b) => Number('isEntry' in a && a.isEntry) - Number('isEntry' in b && b.isEntry))
    .map(({ fileName }) => fileName)
  for (const file of written) renameSync(join(made, file), join(root, file))
  rmSync(made, { recursive: true })
  const kept = new Set(written.map((file) => join(root, file)))
  for (const file of globSync(join(root, `**/*${extension}`))) if (!kept.has(file)) rmSync(file)
}
