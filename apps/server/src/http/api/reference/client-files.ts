import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { findCode } from '../../../platform/system-errors.ts'
import { VERSION } from '../../../platform/version.ts'
import { publicAddress } from '../../connection/public-address.ts'
import { HttpError } from '../../http-error.ts'
import { PAGE_HEADERS } from '../../responses/security-headers.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../../responses/static-file.ts'
import { FOR_ANYONE } from '../../route-access.ts'
import { type Html, html } from './html.ts'

/** The files from which clients of this server are installed, as tools/packages/build-clients.ts builds them. */
export interface ClientFiles {
  /** Their names, the command first; none where they were not built. */
  names: readonly string[]
  /** Reads a file when it is first asked for. */
  read(name: string): Promise<ClientFile>
}

interface ClientFile {
  name: string
  bytes: number
  /** In hexadecimal digits. */
  sha256: string
  file: StaticFile
}

/** A line that installs or runs a client. */
interface InstallLine {
  says: string
  line: string
}

const FOLDER = fileURLToPath(new URL('../../../../../../dist/downloads', import.meta.url))
const TYPES = { '.tgz': 'application/gzip', '.whl': 'application/zip' } as const
const DOWNLOADS = '/downloads'

/** An address with this many digits of a file's digest behind it means these bytes, which caches keep for good. */
const SHOWN_DIGITS = 12

const NOT_BUILT =
  'The files for clients are not built. Run "npm ci" (without --omit=dev) or "npm run prepare" in the folder of Meadow, ' +
  'or copy dist/downloads from where that was done, and start the server again.'

export async function findClientFiles(folder = FOLDER): Promise<ClientFiles> {
  const found = await readdir(folder).catch((error: unknown) => {
    if (findCode(error) === 'ENOENT') return []
    throw error
  })
  const files = new LRUCache<string, ClientFile>({
    max: 8,
    // A read that has failed is tried again.
    fetchMethod: (name) => readClientFile(folder, name),
  })
  return {
    names: found
      .filter((name) => findType(name) !== undefined)
      .sort()
      .reverse(),
    read: (name) => files.forceFetch(name),
  }
}

const findType = (name: string): string | undefined => TYPES[name.slice(-4) as keyof typeof TYPES]

async function readClientFile(folder: string, name: string): Promise<ClientFile> {
  const bytes = await readFile(join(folder, name))
  const file = createStaticFile(bytes, findType(name)!)
  return { name, bytes: bytes.length, sha256: hash('sha256', bytes, 'hex'), file }
}

/** Lists the lines in which a user of the server at an address names a file. */
function listInstallLines(name: string, address: string): InstallLine[] {
  const file = `${address}${DOWNLOADS}/${name}`
  if (name.endsWith('.whl')) return [{ says: 'Python 3.9 or newer', line: `pip install ${file}` }]
  if (name === 'meadow-client.tgz')
    return [{ says: 'TypeScript and JavaScript, in the folder of a project', line: `npm install ${file}` }]
  return [
    { says: 'The command, on Node 20 or newer, without an installation', line: `npx -y ${file} tree` },
    { says: 'The command, installed as meadow', line: `npm install --global ${file}` },
    {
      says: 'AI agents (MCP), here Claude Code',
      line: `claude mcp add meadow --env MEADOW_URL=${address} --env MEADOW_TOKEN=mdw_… -- npx -y ${file} mcp`,
    },
  ]
}

/** Describes in Markdown how clients are installed from the server at an address; empty where they were not built. */
export function describeClients({ names }: ClientFiles, address: string): string {
  const lines = names.flatMap((name) => listInstallLines(name, address))
  if (lines.length === 0) return ''
  const list = lines.map(({ says, line }) => `- ${says}: \`${line}\``).join('\n')
  return `Clients are installed from this server, without a registry; ${address}${DOWNLOADS}/ has their digests.\n\n${list}\n\n`
}

export interface ClientPageOptions {
  baseUrl: string | undefined
  /** The path of the style sheet, with the path of the public address. */
  style: string
  contentSecurityPolicy: string
}

/** Mounts `/downloads/`, which lists the files, each file, and its digest at its name with `.sha256`. */
export function mountClientFiles(
  app: FastifyInstance,
  files: ClientFiles,
  { baseUrl, style, contentSecurityPolicy }: ClientPageOptions,
): void {
  for (const path of [DOWNLOADS, `${DOWNLOADS}/`]) {
    app.get(path, FOR_ANYONE, async (request, reply) => {
      if (files.names.length === 0) throw new HttpError('page_not_found', { sentence: NOT_BUILT })
      const address = publicAddress(baseUrl, request.raw)
      const listed = await Promise.all(files.names.map(files.read))
      reply.header('cache-control', 'no-cache').header('vary', 'Accept')
      if (request.headers.accept?.includes('application/json')) return describeFiles(listed, address)
      reply.headers(PAGE_HEADERS).header('content-security-policy', contentSecurityPolicy)
      return reply.type('text/html; charset=utf-8').send(createPage(listed, address, style).text)
    })
  }
  for (const name of files.names) {
    app.get(`${DOWNLOADS}/${name}`, FOR_ANYONE, async (request, reply) => {
      const { file, sha256 } = await files.read(name)
      const isImmutable = request.url.endsWith(`?${sha256.slice(0, SHOWN_DIGITS)}`)
      return sendStaticFile({ ...file, isImmutable }, request, reply)
    })
    app.get(`${DOWNLOADS}/${name}.sha256`, FOR_ANYONE, async (request, reply) => {
      const line = `${(await files.read(name)).sha256}  ${name}\n`
      return sendStaticFile(createStaticFile(Buffer.from(line), 'text/plain; charset=utf-8'), request, reply)
    })
  }
}

const describeFiles = (files: readonly ClientFile[], address: string) => ({
  version: VERSION,
  files: files.map(({ name, bytes, sha256 }) => ({
    ...{ name, url: `${address}${DOWNLOADS}/${name}`, bytes, sha256 },
    lines: listInstallLines(name, address),
  })),
})

const createPage = (
  files: readonly ClientFile[],
  address: string,
  style: string,
): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Clients of Meadow</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<header class="top"><p class="brand"><a href="${address}/">Meadow</a> clients</p></header>
<div class="columns">
<main>
<h1>Clients of Meadow ${VERSION}</h1>
<p>They come from this server, and need no registry. Set <code>MEADOW_URL</code> to <code>${address}</code> and
<code>MEADOW_TOKEN</code> to an API token; the command can also <code>login ${address}</code>. npx keeps the file that it got
first: after an upgrade of this server, name it with the beginning of its digest, as <code>"${address}${DOWNLOADS}/${files[0]!.name}?${files[0]!.sha256.slice(0, SHOWN_DIGITS)}"</code>.</p>
${files.map(({ name, bytes, sha256 }) => [
  html`<h2><a href="${address}${DOWNLOADS}/${name}">${name}</a></h2>`,
  ...listInstallLines(name, address).map(
    ({ says, line }) =>
      html`<p class="language">${says}</p><pre tabindex="0" aria-label="${says}"><code>${line}</code></pre>`,
  ),
  html`<p>${bytes.toLocaleString('en')} bytes, <a href="${address}${DOWNLOADS}/${name}.sha256">SHA-256</a> <code>${sha256}</code></p>`,
])}
</main>
</div>
</body>
</html>
`
