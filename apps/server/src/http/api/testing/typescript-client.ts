/**
 * A program on openapi-fetch and the types that openapi-typescript generates into `meadow.ts`. It reads every document
 * and solution of the team, and prints how much there is. It has no cast of an answer.
 */
export const TYPESCRIPT_CLIENT = `
import { json } from 'node:stream/consumers'
import createClient from 'openapi-fetch'
import type { components, paths } from './meadow.ts'

type Tree = components['schemas']['DataTree']

const { api: baseUrl, token } = (await json(process.stdin)) as { api: string; token: string }
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${token}\` } })
const count = { documents: 0, folders: 0, nodes: 0, values: 0, points: 0, objects: 0, solutions: 0 }

function countTree({ branches }: Tree): void {
  for (const value of branches.flatMap(({ values }) => values)) {
    count.values++
    if (value?.type === 'point') {
      const [x, y, z] = value.value
      if ([x, y, z].every((each) => typeof each === 'number')) count.points++
    }
  }
}

const team = await client.GET('/team')
if (!team.data) throw new Error(team.error.error)
const root = await client.GET('/folders/{folderId}', { params: { path: { folderId: team.data.team.rootFolderId } } })
if (!root.data) throw new Error(root.error.error)
count.folders = root.data.folder.folders.length
const found = await client.GET('/documents', { params: { query: { folderId: 'root' } } })
for (const { id: documentId } of found.data?.documents ?? []) {
  const { data } = await client.GET('/documents/{documentId}', { params: { path: { documentId } } })
  if (!data) throw new Error('The document is gone.')
  count.documents++
  const nodes = Object.values(data.document.nodes)
  count.nodes += nodes.length
  for (const tree of nodes.flatMap(({ values }) => Object.values(values))) countTree(tree)
  for (const format of ['json', 'bimz'] as const) {
    const solution = await client.GET('/documents/{documentId}/solution', {
      params: { path: { documentId }, query: { format }, header: { Prefer: 'wait=30' } },
    })
    // A 202 is a success to openapi-fetch: the solve is still running.
    if (!solution.data || 'error' in solution.data) continue
    count.solutions++
    if ('objects' in solution.data) count.objects += Object.keys(solution.data.objects).length
    else
      for (const ports of Object.values(solution.data.data))
        if (typeof ports === 'object') for (const tree of Object.values(ports)) countTree(tree)
  }
}
console.log(JSON.stringify(count))
`
