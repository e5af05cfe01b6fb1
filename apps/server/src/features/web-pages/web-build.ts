import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { createStaticFile, type StaticFile } from '../../http/responses/static-file.ts'
import { findCode } from '../../platform/system-errors.ts'

/** The build of the web app, in memory, so that no request leads to a path on the disk. */
export interface WebBuild {
  /** The page without its nonce. It contains the path of the service's address, for the app and in its URLs. */
  html: string
  /** The page of the player without its nonce. */
  player: string
  /** The files by their paths, such as `/assets/…`. */
  files: ReadonlyMap<string, StaticFile>
}

const PAGE = 'index.html'
const PLAYER = 'player.html'
/** The files that are sent as pages only. */
export const PAGE_FILES: ReadonlySet<string> = new Set([`/${PAGE}`, `/${PLAYER}`])

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
}

/**
 * Reads the build, with what is compressed in it already (`.br`); resolves with undefined when there is none. `publicPath`
 * is the path of the service's address.
 */
export async function readBuild(folder: string, publicPath = ''): Promise<WebBuild | undefined> {
  const [page, player] = await Promise.all([PAGE, PLAYER].map((name) => readIfThere(join(folder, name))))
  if (page === undefined || player === undefined) return undefined
  const files = new Map<string, StaticFile>()
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || !type) continue
    const path = join(entry.parentPath, entry.name)
    const name = `/${relative(folder, path).split(sep).join('/')}`
    const [bytes, compressed] = await Promise.all([readFile(path), readIfThere(`${path}.br`)])
    files.set(name, createStaticFile(bytes, type, name.startsWith('/assets/'), compressed))
  }
  return { html: embedPage(`${page}`, publicPath), player: embedPage(`${player}`, publicPath), files }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (findCode(error) === 'ENOENT' || findCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** Makes the relative URLs of the build absolute, because the page is shown at many paths. */
function embedPage(html: string, publicPath: string): string {
  const path = publicPath.replaceAll('&', '&amp;')
  return html
    .replaceAll(/(?<=(?:src|href)=")\.(?=\/)/g, () => path)
    .replace(/<head>/i, (head) => `${head}<meta name="public-path" content="${path}">`)
}
