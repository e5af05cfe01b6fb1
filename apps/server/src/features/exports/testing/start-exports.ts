import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import type { TestContext } from 'node:test'
import type { DocumentId, Export } from '@meadow/contract'
import { readDefinition } from '@meadow/grasshopper'
import { createDocument } from '../../../library/documents.ts'
import type { Log } from '../../../platform/log.ts'
import { changeTeam } from '../../../team/team-transaction.ts'
import type { TestDatabase } from '../../../testing/databases.ts'
import { numbers } from '../../solutions/testing/graphs.ts'
import { startSolutions } from '../../solutions/testing/start-solutions.ts'
import { createSolveStore, type ModelFile } from '../../solves/solves.store.ts'
import { solvedIn } from '../../solves/testing/given-solves.ts'

/** A server on this database without solvers, and the requests of a script that exports. */
export async function startExports(
  t: TestContext,
  kind: TestDatabase,
  log?: Log,
  env?: Record<string, string>,
) {
  const server = await startSolutions(t, { kind, ...(log && { log }), ...(env && { env }) })
  const { get, database, document, run, blobs, fixtures, team } = server

  /** The response to an export request. */
  const requestExport = (id: DocumentId, query: string, init?: RequestInit & { token?: string }) =>
    get(`/documents/${id}/export?${query}`, init)

  /** Fails when the status is not 200. */
  async function exportOf(
    id: DocumentId,
    query: string,
    init?: RequestInit & { token?: string },
  ): Promise<Export> {
    const { status, json, text } = await requestExport(id, query, init)
    if (status !== 200) throw new Error(`It answered ${status}: ${text}`)
    return json.export
  }

  /** Completes a solve with this model file or none; its values do not matter. */
  async function endSolve(id: DocumentId, model?: ModelFile): Promise<void> {
    await createSolveStore(database).complete(await run(id), solvedIn(1, undefined, model))
  }

  /** A link to these bytes, stored as the model file of a document. */
  async function linkTo(bytes: Uint8Array, name?: string): Promise<Export> {
    const id = await document(numbers(), name)
    const { digest, size } = await blobs.put(bytes)
    await endSolve(id, { digest, bytes: size, objects: 1 })
    return exportOf(id, 'format=.3dm&modelerVersion=7')
  }

  let imports = 0
  /** A document as an import creates it from this file. */
  async function imported(name: string, file: Uint8Array): Promise<DocumentId> {
    const { key: root } = await fixtures.root(team)
    const { digest: sha256 } = await blobs.put(file)
    const bytes = Buffer.from(JSON.stringify(readDefinition(file).content))
    const source = {
      root,
      from: '/',
      path: `${imports++}/${name}`,
      sha256,
      sizeBytes: file.length,
      mtimeMs: null,
      blob: sha256,
      facts: { file: '{"plugins":[]}', clusters: { kind: 'inline', bytes: Buffer.from('{}') } as const },
    }
    const properties = { folder: root, name, createdAt: 0, updatedAt: 0, source }
    const { id } = await changeTeam(database, team.key, (change) =>
      createDocument(change, { ...properties, content: { kind: 'inline', bytes } }),
    )
    return id
  }

  const readFiles = () => database.read.selectFrom('export_file').orderBy('id').selectAll().execute()

  return { ...server, requestExport, exportOf, endSolve, linkTo, imported, readFiles }
}

/** Requests a link without any credentials. The body is not read yet. */
export async function openLink(
  url: string,
  headers: OutgoingHttpHeaders = {},
  method = 'GET',
): Promise<IncomingMessage> {
  const sent = request(url, { agent: false, method, headers })
  sent.end()
  const [response] = await once(sent, 'response')
  return response
}

/** The same, with the body. */
export async function follow(...sent: Parameters<typeof openLink>) {
  const response = await openLink(...sent)
  const bytes = Buffer.concat(await response.toArray())
  const isJson = response.headers['content-type']?.startsWith('application/json')
  return {
    status: response.statusCode!,
    headers: response.headers,
    bytes,
    error: isJson && bytes.length > 0 ? (JSON.parse(bytes.toString()).error as string) : undefined,
  }
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
