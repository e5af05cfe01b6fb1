import { join } from 'node:path'
import type { DocumentId } from '@meadow/contract'
import { openModelLibrary } from '@meadow/model'
import { createDocumentContents } from '@meadow/server/src/content/document-contents.ts'
import { solveDocument } from '@meadow/server/src/features/solves/solve-document.ts'
import { createTeam, openStores, type Stores, storeValues, type Team } from '../harness/teams.ts'
import { longLists, manyObjects } from './graphs.ts'

/** A solved document, and the file of its solution. */
export interface SolvedDocument {
  id: DocumentId
  /** The file of the gzip body. */
  path: string
}

export interface SolvedTeam {
  dataDir: string
  id: string
  token: string
  /** A document with values of 1 MB, compressed. The solution of `values100Mb` has a compressed size of 100 MB. */
  values1Mb: SolvedDocument
  values100Mb: SolvedDocument
  /** A document with thousands of objects and a model file. */
  objects: SolvedDocument & { model: SolvedModel }
  /** A document with a million values. */
  lists: DocumentId
}

export interface SolvedModel {
  path: string
  sha256: string
  length: number
  objectCount: number
}

const MB = 2 ** 20

/**
 * Creates a team in an empty folder, with documents that the server's solver solved or that have stored bodies of a
 * certain size.
 */
export async function buildSolvedTeam(dataDir: string): Promise<SolvedTeam> {
  await using stores = await openStores({ dataDir })
  const team = await createTeam(stores, 'Solved')

  async function addLarge(bytes: number): Promise<SolvedDocument> {
    const { id, key } = await team.addDocument(`Values ${bytes}`, longLists(1, 1))
    return { id, path: blobPath(dataDir, await storeValues(stores, team, key, bytes)) }
  }

  return {
    dataDir,
    id: team.id,
    token: team.token,
    values1Mb: await addLarge(MB),
    values100Mb: await addLarge(100 * MB),
    objects: await addObjects(stores, team),
    lists: (await team.addDocument('Lists', longLists(1_000, 1_000))).id,
  }
}

async function addObjects({ dataDir, database, blobs }: Stores, team: Team): Promise<SolvedTeam['objects']> {
  const { id, key } = await team.addDocument('Objects', manyObjects())
  const content = (await createDocumentContents(database, blobs).find(key))!
  const paths = { path: '', model: { path: '', sha256: '', length: 0, objectCount: 0 } }
  await team.addSolution(key, async (lease) => {
    await using library = openModelLibrary()
    const solve = { documentId: lease.documentId, solutionId: lease.id, content }
    const outcome = await solveDocument(solve, { blobs, library })
    if (outcome.state === 'failed') throw new Error(outcome.reason)
    const { digest, bytes: length, objects: objectCount } = outcome.files.model!
    paths.path = blobPath(dataDir, outcome.files.valuesGzip)
    paths.model = { path: blobPath(dataDir, digest), sha256: digest, length, objectCount }
    return outcome
  })
  return { id, ...paths }
}

export const blobPath = (dataDir: string, digest: string): string =>
  join(dataDir, 'blobs', digest.slice(0, 2), digest)
