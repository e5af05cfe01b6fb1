import type { DocumentId } from '@meadow/contract'
import { createDocument } from '../../library/documents.ts'
import { ensureFolder, findChildFolder, findFolder } from '../../library/folders.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { type NewContent, storeContent } from '../../team/content-blobs.ts'
import type { FolderRecord } from '../../team/folders.ts'
import { changeTeam, type TeamTransaction } from '../../team/team-transaction.ts'
import { createTeam, listTeams, type TeamRecord } from '../../team/teams.ts'
import { createDemoTree, type DemoDocument, type DemoFolder, listDemoDocuments } from './demo-tree.ts'

const NAME = 'Atelier Meadow (demo)'
/** The credits pay for hours of solver time; all definitions of the demo take seconds. */
const CREDITS = 36_000

/** The demo team, which the server shows when it starts. */
export interface DemoTeam {
  team: TeamRecord
  /** A document for each state of a solution, unless it was deleted. */
  examples: { state: DemoState; id: DocumentId; name: string }[]
}

export type DemoState = 'solved' | 'failed' | 'never'

export interface DemoParts {
  database: Database
  blobs: BlobStore
  /** A page of a team's documents. */
  listDocuments(team: TeamKey, after: undefined, limit: number): Promise<DocumentFacts[]>
  /** Requests solves, and does not wait for them. */
  solve(team: TeamKey, documents: readonly DocumentKey[]): Promise<unknown>
}

interface DocumentFacts {
  key: DocumentKey
  id: DocumentId
  name: string
}

/** More documents than the demo team has. */
const MAX_DOCUMENTS = 1000

/**
 * The demo team. It is created when the database has no team at all; undefined when there are
 * other teams only, because a server with real teams should get no example.
 */
export async function openDemoTeam(
  parts: DemoParts,
  notify: (text: string) => void,
): Promise<DemoTeam | undefined> {
  const { database } = parts
  const teams = await listTeams(database.read)
  const team =
    teams.find(({ name }) => name === NAME) ??
    (teams.length === 0 &&
      (await createTeam(database, { name: NAME, credits: CREDITS, publicDocuments: true })))
  if (!team) return undefined
  const tree = createDemoTree(Date.now())
  const isNew = await fillOnce(parts, team, tree, notify)
  const documents = await matchDocuments(parts, team, tree)
  if (isNew) await solveMost(parts, team, documents)
  return { team, examples: listExamples(documents) }
}

/**
 * Creates the content in one transaction, so that an interrupted start leaves an empty team, which the next start fills.
 * Resolves with false when the content exists already.
 */
async function fillOnce(
  { database, blobs }: DemoParts,
  team: TeamRecord,
  tree: DemoFolder,
  notify: (text: string) => void,
): Promise<boolean> {
  const root = await findFolder(database.read, team.key, 'root')
  if (!root || (await findChildFolder(database.read, root.key, tree.folders[0]!.name))) return false
  notify('First start: making a demo team with example definitions …')
  // The import is dynamic, because later starts read no definitions.
  const { readDemoDefinition } = await import('./demo-definitions.ts')
  const store = (file: string) => storeContent(blobs, readDemoDefinition(file))
  await changeTeam(database, team.key, (change) => fill(change, store, root, tree))
  return true
}

type Matched = DocumentFacts & { demo: DemoDocument }

/** The documents of the team that are in the demo tree, by their names, which are unique. */
async function matchDocuments(
  { listDocuments }: DemoParts,
  team: TeamRecord,
  tree: DemoFolder,
): Promise<Matched[]> {
  const demos = new Map(listDemoDocuments(tree).map((demo) => [demo.name, demo]))
  const documents = await listDocuments(team.key, undefined, MAX_DOCUMENTS)
  return documents.flatMap((document) => {
    const demo = demos.get(document.name)
    return demo ? [{ ...document, demo }] : []
  })
}

async function solveMost(
  { solve }: DemoParts,
  team: TeamRecord,
  documents: readonly Matched[],
): Promise<void> {
  const solved = documents.filter(({ demo }) => !demo.leaveUnsolved)
  await solve(
    team.key,
    solved.map(({ key }) => key),
  )
}

function listExamples(documents: readonly Matched[]): DemoTeam['examples'] {
  const states = new Map<DemoState, Matched>()
  for (const document of documents) {
    const { failsOnPurpose, leaveUnsolved } = document.demo
    const state = failsOnPurpose ? 'failed' : leaveUnsolved ? 'never' : 'solved'
    if (!states.has(state)) states.set(state, document)
  }
  return [...states].map(([state, { id, name }]) => ({ state, id, name }))
}

async function fill(
  change: TeamTransaction,
  store: (file: string) => Promise<NewContent>,
  folder: FolderRecord,
  tree: DemoFolder,
): Promise<void> {
  for (const { file, leaveUnsolved: _, failsOnPurpose: __, ...properties } of tree.documents) {
    await createDocument(change, { ...properties, folder: folder.key, content: await store(file) })
  }
  for (const child of tree.folders) {
    await fill(change, store, await ensureFolder(change, folder.key, child.name), child)
  }
}
