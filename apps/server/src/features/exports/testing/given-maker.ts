import type { TestContext } from 'node:test'
import type { DocumentId } from '@meadow/contract'
import { createLinkKeyStore } from '../../../access/link-keys.store.ts'
import { createDocumentContents } from '../../../content/document-contents.ts'
import { openDiskBlobs } from '../../../platform/blobs/disk.ts'
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts'
import type { Database } from '../../../platform/database/database.ts'
import { createLog } from '../../../platform/log.ts'
import { changeTeam } from '../../../team/team-transaction.ts'
import { addCredits } from '../../../team/teams.ts'
import { createFolder } from '../../../testing/definition-folder.ts'
import { givenTeam } from '../../../testing/given-team.ts'
import { getExportable } from '../../solutions/get-exportable.ts'
import { createSolutionStore } from '../../solutions/solutions.store.ts'
import { createSolveStore } from '../../solves/solves.store.ts'
import { solvedIn, TERMS } from '../../solves/testing/given-solves.ts'
import {
  createExportMaker,
  type MakerOptions,
  type MakerParts,
  type RequestedExport,
} from '../export-maker.ts'
import { createExportStore } from '../exports.store.ts'
import type { ExportRequest, MadeFile } from '../make-file.ts'

const OPTIONS: MakerOptions = { timeoutMs: 60_000, keptBytes: 0 }

/** Solved documents, and export makers with a child process that the test replaces. */
export async function givenExports(t: TestContext, database: Database) {
  const blobs = await openDiskBlobs(await createFolder(t))
  const store = createExportStore(database)
  await createLinkKeyStore(database).getCurrent()
  const solves = createSolveStore(database)
  const solutions = createSolutionStore(database)
  const { team, document: createDocument } = await givenTeam(database)
  await changeTeam(database, team, (change) => addCredits(change, 1000))
  const contents = createDocumentContents(database, blobs)

  async function solve(id: DocumentId): Promise<void> {
    const [found] = await solves.findDocuments([id])
    await solves.request(team, [found!.key])
    const lease = await solves.lease(TERMS)
    await solves.complete(lease!, solvedIn(1))
  }

  async function solved(name?: string): Promise<DocumentId> {
    const { id } = await createDocument(name === undefined ? {} : { name })
    await solve(id)
    return id
  }

  const requestFor = (documentId: DocumentId, format: '.gh' | '.3dm' = '.3dm'): RequestedExport => ({
    resourceScope: team,
    documentId,
    target:
      format === '.gh'
        ? { format, modelerVersion: null, archiveVersion: null }
        : { format, modelerVersion: 9, archiveVersion: 8 },
  })

  /** Like a process of its own to the database. */
  function openMaker(make: (request: ExportRequest) => Promise<MadeFile>, keptBytes = 0) {
    const options = { ...OPTIONS, keptBytes }
    const requests: ExportRequest[] = []
    const semaphore = new FairSemaphore({ limits: [1], maxWaiting: [100], maxWaitMs: 60_000 })
    const pool: MakerParts['pool'] = {
      async acquire({ group, signal }) {
        const permit = await semaphore.acquire([group], signal && { signal })
        return {
          run(request) {
            requests.push(request)
            return make(request)
          },
          [Symbol.dispose]: () => permit.release(),
        }
      },
      async [Symbol.asyncDispose]() {},
    }
    const log = createLog('silent')
    const requireSolution = (of: typeof team, id: string) => getExportable(solutions, of, id)
    const figures = { reads: 0 }
    const counted = {
      ...store,
      find(...parameters: Parameters<typeof store.find>) {
        figures.reads++
        return store.find(...parameters)
      },
    }
    const maker = createExportMaker({ store: counted, requireSolution, blobs, contents, pool, log }, options)
    return { maker, requests, options, figures }
  }

  /** A file that consists of its request. */
  async function makeAnything(request: ExportRequest): Promise<MadeFile> {
    const { digest, size } = await blobs.put(Buffer.from(JSON.stringify(request)))
    return { digest, bytes: size, warnings: [] }
  }

  const edit = (id: DocumentId, content: object) =>
    database.transaction(async (write) => {
      const { key, seq } = await write
        .updateTable('document')
        .set(({ eb }) => ({ seq: eb('seq', '+', 1) }))
        .where('public_id', '=', id)
        .returning(['id as key', 'seq'])
        .executeTakeFirstOrThrow()
      await write
        .updateTable('document_snapshot')
        .set({ seq, content: Buffer.from(JSON.stringify(content)) })
        .where('document_id', '=', key)
        .execute()
    })

  const readFiles = () => database.read.selectFrom('export_file').orderBy('id').selectAll().execute()

  return {
    blobs,
    store,
    solve,
    solved,
    requestFor,
    openMaker,
    makeAnything,
    edit,
    readFiles,
    team,
    database,
    createDocument,
  }
}

export const NEVER_ABORTED = new AbortController().signal
