import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { findCode } from '../../platform/system-errors.ts'
import { createStaticFile, type StaticFile } from './static-file.ts'

/** What the build made: small enough to be held in memory, so that no request is about a path on the disk. */
export interface WebBuild {
  /** The page, without what is new in it each time: it tells the app, and has in its addresses, where the service is. */
  html: string
  /** By path: `/assets/…`. */
  files: ReadonlyMap<string, StaticFile>
}

const PAGE = 'index.html'

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
}

/** `publicPath` is what the service's address has before each of these paths. Undefined when there is no build. */
export async function readBuild(folder: string, publicPath = ''): Promise<WebBuild | undefined> {
  const page = await readPage(join(folder, PAGE))
  if (page === undefined) return undefined
  const files = new Map<string, StaticFile>()
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || !type) continue
    const path = join(entry.parentPath, entry.name)
    const name = `/${relative(folder, path).split(sep).join('/')}`
    files.set(name, createStaticFile(await readFile(path), type, name.startsWith('/assets/')))
  }
  return { html: placePage(page, publicPath), files }
}

async function readPage(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (findCode(error) === 'ENOENT' || findCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** The build names its files relative to itself; the page is shown at many addresses. */
function placePage(html: string, publicPath: string): string {
  const path = publicPath.replaceAll('&', '&amp;')
  return html
    .replaceAll(/(?<=(?:src|href)=")\.(?=\/)/g, () => path)
    .replace(/<head>/i, (head) => `${head}<meta name="public-path" content="${path}">`)
}
