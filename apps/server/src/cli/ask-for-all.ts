import type { SolutionId } from '@meadow/contract'
import type { SolvableDocument } from '../features/solves/solves.store.ts'
import { CommandFailure } from './failure.ts'
import { printable } from './printable.ts'
import { getTeam, type Storage } from './storage.ts'

/** A solve that was asked for. */
export interface AskedSolve {
  id: SolutionId
  document: SolvableDocument
}

/** So many documents are asked for in one transaction. */
const BATCH = 50
const PAGE = 1000

/** The documents with these ids, each once. Fails when one of them does not exist. */
export async function getDocuments(
  { solves }: Pick<Storage, 'solves'>,
  ids: readonly string[],
): Promise<SolvableDocument[]> {
  const wanted = [...new Set(ids)]
  const found = await solves.findDocuments(wanted)
  const missing = wanted.find((id) => !found.some((document) => document.id === id))
  if (missing !== undefined) throw new CommandFailure(`There is no document "${printable(missing)}".`)
  return found
}

/** All documents of the team with this id. */
export async function listDocuments(
  { catalogue, solves }: Storage,
  teamId: string,
): Promise<SolvableDocument[]> {
  const team = await getTeam(catalogue, teamId)
  const documents: SolvableDocument[] = []
  let page: SolvableDocument[]
  do {
    page = await solves.listDocuments(team.key, documents.at(-1)?.key, PAGE)
    documents.push(...page)
  } while (page.length === PAGE)
  return documents
}

/** Asks for a solve of each. Fails when a team has no credits; what was asked for of other teams before stays asked for. */
export async function askForAll(
  { solves }: Storage,
  documents: readonly SolvableDocument[],
): Promise<AskedSolve[]> {
  const known = new Map(documents.map((document) => [document.key, document]))
  const asked: AskedSolve[] = []
  for (const [team, ofTeam] of Map.groupBy(documents, ({ team }) => team)) {
    for (let start = 0; start < ofTeam.length; start += BATCH) {
      const answer = await solves.request(
        team,
        ofTeam.slice(start, start + BATCH).map(({ key }) => key),
      )
      if ('error' in answer) {
        throw new CommandFailure(
          `The team of "${printable(ofTeam[start]!.name)}" has no credits left, and without them there is no solve. ` +
            '"meadow-server team credits ID --add 3600" gives it some.',
        )
      }
      asked.push(...answer.solves.map(({ id, document }) => ({ id, document: known.get(document)! })))
    }
  }
  return asked
}
