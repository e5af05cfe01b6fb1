import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { publicAddress } from '../../connection/public-address.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../../responses/static-file.ts'
import { FOR_ANYONE } from '../../route-access.ts'
import { type ClientFiles, describeClients } from './client-files.ts'

/** The pages of `docs` that users of the API read, by their paths below it, and what they are about. */
const PAGES = {
  Start: {
    'api.md': 'the API: endpoints, parameters, statuses, schemas',
    'limits.md': 'limits, and what they promise',
    'skills/meadow/SKILL.md': 'how an agent gets from a question to an answer',
    'mcp.md': 'the Model Context Protocol server and its tools',
    'cli.md': 'the command `meadow`',
  },
  Values: {
    'solving.md': 'what is solved, and what an unknown value means',
    'kinds.md': 'the classes of components, and how each is verified',
    'conversions.md': 'which values become which',
  },
  Recipes: {
    'recipes/python.md': 'Python without packages',
    'recipes/pandas.md': 'pandas',
    'recipes/duckdb.md': 'DuckDB',
    'recipes/excel.md': 'Excel',
    'recipes/power-bi.md': 'Power BI',
    'recipes/three.md': 'a model in a web page',
    'recipes/blender.md': 'a model in Blender',
    'recipes/github-action.md': 'a repository that follows a team',
  },
  Optional: {
    'check.md': 'tests of definitions in CI',
    'git.md': 'definitions in git',
    'webhooks.md': 'messages about changes',
    'credits.md': 'what a solve costs',
  },
} as const

const DOCS = new URL('../../../../../../docs/', import.meta.url)
const MARKDOWN = 'text/markdown; charset=utf-8'

/** The address that the pages use in examples, which stands for that of the server. */
const EXAMPLE_ADDRESS = 'https://meadow.example.org'

/** The pages that are kept, each for the address of a server: clients reach it under few. */
const MAX_PAGES = 64

/** Mounts `/llms.txt` (llmstxt.org), which lists pages, and each of these as Markdown below `/docs/`. */
export function mountMarkdownPages(
  app: FastifyInstance,
  { baseUrl, clients }: { baseUrl: string | undefined; clients: ClientFiles },
): void {
  app.get('/llms.txt', FOR_ANYONE, (request, reply) => {
    const address = publicAddress(baseUrl, request.raw)
    const text = listPages(address, describeClients(clients, address))
    return sendStaticFile(createStaticFile(Buffer.from(text), 'text/plain; charset=utf-8'), request, reply)
  })
  const served = new Set<string>(Object.values(PAGES).flatMap((pages) => Object.keys(pages)))
  const read = new LRUCache<string, Promise<StaticFile>>({ max: MAX_PAGES })
  for (const page of served) {
    app.get(`/docs/${page}`, FOR_ANYONE, async (request, reply) => {
      const address = publicAddress(baseUrl, request.raw)
      const key = `${address} ${page}`
      const reading = read.get(key) ?? readPage(page, served, address)
      read.set(key, reading)
      reading.catch(() => read.delete(key))
      return sendStaticFile(await reading, request, reply)
    })
  }
}

function listPages(address: string, clients: string): string {
  const sections = Object.entries(PAGES).map(([title, pages]) => {
    const links = Object.entries(pages).map(
      ([page, about]) => `- [${page}](${address}/docs/${page}): ${about}`,
    )
    return `## ${title}\n\n${links.join('\n')}`
  })
  return `# Meadow

> A read-only JSON API over a team's folders, node-graph documents (Grasshopper definitions), their solutions and exports. Every request has \`Authorization: Bearer\` and an API token of the team.

The API is at ${address}/api/v1, its OpenAPI description at ${address}/openapi.json. Reading changes nothing, starts no solve and costs nothing. A value that is unknown is never a guess.

${clients}${sections.join('\n\n')}
`
}

/** Reads a page for the server at an address. Links to pages that are not served become their text. */
async function readPage(page: string, served: ReadonlySet<string>, address: string): Promise<StaticFile> {
  const text = await readFile(new URL(page, DOCS), 'utf8')
  const linked = text.replaceAll(
    /(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)/g,
    (link, _, name, path) => {
      const { pathname } = new URL(path, `file:///${page}`)
      return served.has(pathname.slice(1)) ? link : name
    },
  )
  return createStaticFile(Buffer.from(linked.replaceAll(EXAMPLE_ADDRESS, () => address)), MARKDOWN)
}
