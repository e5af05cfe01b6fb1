import { NotFound, Solving } from '@meadow/client'
import {
  createSolvedGraph,
  describeValues,
  type SolvedGraph,
  summarizeSolution,
} from '../text/describe-solution.ts'
import { cutPage, type Page } from '../text/page.ts'
import { type ToolContext, ToolError } from './context.ts'
import { readByIdOrName } from './find-document.ts'
import { findNodes } from './find-graph.ts'

/** The time to wait for a running solve unless the caller gives another one, in seconds. */
export const DEFAULT_WAIT_SECONDS = 10
/** The longest wait in seconds: the service does not hold an answer back for longer. */
export const MAX_WAIT_SECONDS = 30

export interface ValuesArguments {
  document: string
  nodes?: string[]
  waitSeconds?: number
  cursor?: string
}

/** Describes the results of the most recent solve: a line for each output, or the values of some nodes. */
export async function readValues(
  { document: idOrName, nodes: names = [], waitSeconds = DEFAULT_WAIT_SECONDS, cursor }: ValuesArguments,
  context: ToolContext,
): Promise<Page> {
  const read = (id: string) => readSolved(id, waitSeconds, context)
  const solved = await readByIdOrName(context, idOrName, read)
  if (!solved) return { text: stillSolving(waitSeconds) }
  const lines =
    names.length > 0 ? describeValues(findSolved(names, solved), solved) : summarizeSolution(solved)
  return cutPage(lines, { cursor })
}

const stillSolving = (waitSeconds: number): string =>
  `A solve of this document is running, and has not ended within ${waitSeconds} seconds. Its values are there when it ` +
  'has: ask again, for example after reading other parts of the document, whose outline and nodes can be read now.'

/** Reads the solution, with its document where the token may read that; undefined while a solve runs. */
async function readSolved(
  documentId: string,
  waitSeconds: number,
  { meadow, hasScope, signal }: ToolContext,
): Promise<SolvedGraph | undefined> {
  const [solution, document] = await Promise.all([
    meadow.readSolution(documentId, { headers: waiting(waitSeconds), signal }).catch(whileSolving),
    hasScope('documents:read')
      ? meadow.readDocument(documentId, { signal }).catch(withoutDocument)
      : undefined,
  ])
  return solution && createSolvedGraph(solution, document)
}

/** Returns the headers that ask the service to hold its answer back. */
const waiting = (seconds: number): Record<string, string> =>
  seconds > 0 ? { prefer: `wait=${seconds}` } : {}

function whileSolving(error: unknown): undefined {
  if (!(error instanceof Solving)) throw error
}

/** Ignores that a document was deleted since: the request for its solution fails with the reason. */
function withoutDocument(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error
}

function findSolved(names: readonly string[], { graph, ids, solution }: SolvedGraph): string[] {
  if (graph) return findNodes(names, graph, ids).map(({ instanceId }) => instanceId)
  return names.map((name) => {
    const [id, ...others] = ids.resolve(name)
    if (id !== undefined && others.length === 0 && solution.data[id]) return id
    throw new ToolError(
      `The solution has no single node ${JSON.stringify(name)}: take an id from read_values without nodes.`,
    )
  })
}
