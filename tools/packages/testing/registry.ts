import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Manifest } from '../published-manifest.ts'

/** A registry of npm on this machine, which keeps what is published in memory. */
export interface TestRegistry {
  address: string
  /** `name@version` of what was published, in its order. */
  published: readonly string[]
  /** Adds a package as if it had been published before. */
  add(manifest: Pick<Manifest, 'name' | 'version'>, tarball: Buffer): void
  /** The bytes of the latest tarball of a package. */
  sizeOf(name: string): number
  close(): Promise<void>
}

interface StoredPackage {
  versions: Record<string, object>
  tarballs: Map<string, Buffer>
  latest: string
}

/** The body of `npm publish`. */
interface Publication {
  name: string
  versions: Record<string, Manifest>
  _attachments: Record<string, { data: string }>
}

export async function startRegistry(): Promise<TestRegistry> {
  const packages = new Map<string, StoredPackage>()
  const published: string[] = []
  let address = ''

  const add: TestRegistry['add'] = (manifest, tarball) => {
    const { name, version } = manifest
    const stored: StoredPackage = packages.get(name) ?? { versions: {}, tarballs: new Map(), latest: version }
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    stored.versions[version] = {
      ...manifest,
      dist: { integrity, tarball: `${address}/${name}/-/${version}.tgz` },
    }
    stored.tarballs.set(`${version}.tgz`, tarball)
    packages.set(name, { ...stored, latest: version })
  }

  const publish = async (request: IncomingMessage): Promise<number> => {
    const { name, versions, _attachments } = JSON.parse(String(await buffer(request))) as Publication
    const [manifest] = Object.values(versions)
    const [attachment] = Object.values(_attachments)
    if (packages.get(name)?.versions[manifest!.version]) return 403
    add(manifest!, Buffer.from(attachment!.data, 'base64'))
    published.push(`${name}@${manifest!.version}`)
    return 201
  }

  const server = createServer(async (request, response) => {
    if (request.method === 'PUT') return response.writeHead(await publish(request)).end('{}')
    const [name, file] = decodeURIComponent(request.url!.slice(1)).split('/-/')
    const stored = packages.get(name!)
    const body = file ? stored?.tarballs.get(file) : stored && toPackument(name!, stored)
    return body ? response.end(body) : response.writeHead(404).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    address,
    published,
    add,
    sizeOf(name) {
      const { latest, tarballs } = packages.get(name)!
      return tarballs.get(`${latest}.tgz`)!.length
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const toPackument = (name: string, { versions, latest }: StoredPackage): string =>
  JSON.stringify({ name, versions, 'dist-tags': { latest } })

/**
 * Puts the libraries that packages need into a registry: those that are installed here, as archives that are not
 * compressed. `libraries` are the names that are installed first; what they need follows.
 */
export function addInstalled(registry: TestRegistry, libraries: Iterable<string>, root: string): void {
  const added = new Set<string>()
  const visit = (name: string, from: string): void => {
    const path = findInstalled(name, from)
    // A library for another system.
    if (!path || added.has(path)) return
    added.add(path)
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest
    // npm leaves out the name of the first folder, whatever it is.
    const args = ['-cf', '-', '--exclude=node_modules', '-C', dirname(path), basename(path)]
    registry.add(manifest, execFileSync('tar', args, { maxBuffer: 2 ** 28 }))
    const isNeeded = (peer: string) => !manifest.peerDependenciesMeta?.[peer]?.optional
    const peers = Object.keys(manifest.peerDependencies ?? {}).filter(isNeeded)
    for (const needed of [...Object.keys(manifest.dependencies ?? {}), ...peers]) visit(needed, path)
  }
  for (const library of libraries) visit(library, root)
}

/** As Node looks for it: in node_modules of the folder and of those above. */
function findInstalled(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(join(path, 'package.json'))) return realpathSync(path)
    if (folder === dirname(folder)) return undefined
  }
}
