import type { DocumentId, GraphContent } from '@meadow/contract'
import { createNode } from '@meadow/document/live'
import type { DatabaseLocation } from '@meadow/server/src/platform/database/open-database.ts'
import { createRandom } from '@meadow/server/src/testing/random.ts'
import { createTeam, openStores } from '../harness/teams.ts'
import { createContent } from '../team/graph-content.ts'

export const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const MEMBERS = 20

/** A team with members who edit its documents and a token that reads them. */
export interface EditedTeam {
  cookie: string
  /** The sessions of several members, since the connections of one member are limited. */
  cookies: string[]
  token: string
  /** The documents by name, with their sliders. */
  documents: Record<string, { id: DocumentId; sliders: string[] }>
}

export async function buildEditedTeam(
  location: DatabaseLocation,
  shapes: Record<string, { nodes: number; sliders: number }>,
): Promise<EditedTeam> {
  await using stores = await openStores(location)
  const team = await createTeam(stores, 'Edited')
  const cookies: string[] = []
  for (let count = 0; count < MEMBERS; count++) cookies.push((await team.addMember(`Person${count}`)).cookie)
  const documents: EditedTeam['documents'] = {}
  for (const [name, { nodes, sliders }] of Object.entries(shapes)) {
    const graph = createGraph(nodes, sliders)
    documents[name] = { id: (await team.addDocument(name, graph)).id, sliders: slidersOf(graph) }
  }
  return { cookie: cookies[0]!, cookies, token: team.token, documents }
}

const sums: GraphContent = JSON.parse(createContent(createRandom(1), 3 * 2 ** 20).toString())

/** Returns the first nodes of a graph of numbers and sums, which is the same each time. */
export const createSums = (nodes: number): GraphContent => ({
  ...sums,
  nodes: Object.fromEntries(Object.entries(sums.nodes).slice(0, nodes)),
})

/** Creates a graph of sums and sliders. */
export function createGraph(nodes: number, sliders: number): GraphContent {
  const graph = createSums(nodes - sliders)
  for (let x = 0; x < sliders; x++) {
    const slider = createNode(SLIDER, { position: { x, y: 0 } })
    graph.nodes[slider.instanceId] = slider
  }
  return graph
}

/** Returns the sliders that can be set, without the numbers of the sums. */
export const slidersOf = ({ nodes }: GraphContent): string[] =>
  Object.values(nodes).flatMap(({ templateId, instanceId, state }) =>
    templateId === SLIDER && state ? [instanceId] : [],
  )
