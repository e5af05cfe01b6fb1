import type { Document } from '@meadow/client'
import { describeNodes } from '../text/describe-nodes.ts'
import type { Graph } from '../text/node-text.ts'
import { outlineCluster, outlineDocument } from '../text/outline.ts'
import { cutPage, type Page } from '../text/page.ts'
import { oneLine } from '../text/show-value.ts'
import { type ToolContext, ToolError } from './context.ts'
import { readByIdOrName } from './find-document.ts'
import { findGraph, findNodes } from './find-graph.ts'

/** The maximum size of a page of an outline, in bytes of UTF-8. */
const MAX_OUTLINE_BYTES = 16_000

export interface OutlineArguments {
  document: string
  inside?: string
  group?: string
  cursor?: string
}

export interface NodesArguments {
  document: string
  nodes: string[]
  inside?: string
  cursor?: string
}

/** Reads a document by its id or name. */
export const readDocument = (context: ToolContext, idOrName: string): Promise<Document> =>
  readByIdOrName(context, idOrName, (id) => context.meadow.readDocument(id, { signal: context.signal }))

/** Outlines the nodes, wires and groups of a document or of a cluster as text. */
export async function outline(
  { document: idOrName, inside, group, cursor }: OutlineArguments,
  context: ToolContext,
): Promise<Page> {
  const document = await readDocument(context, idOrName)
  const { graph, clusters, title } = findGraph(document, inside)
  const label = group === undefined ? undefined : findLabel(group, graph)
  const lines =
    title === undefined ? outlineDocument(document, label) : outlineCluster(title, graph, clusters, label)
  return cutPage(lines, { cursor, maxBytes: MAX_OUTLINE_BYTES })
}

/** Returns the label of a group. It may be given as an outline shows it, with the labels of the groups around it. */
function findLabel(group: string, { groups }: Graph): string {
  const label = oneLine(group.split(' > ').at(-1)!)
  if (label !== '' && groups.some((each) => oneLine(each.label) === label)) return label
  throw new ToolError(`No group here is called ${JSON.stringify(group)}. Without group all nodes are shown.`)
}

/** Describes everything that a document contains about some of its nodes. */
export async function readNodes(
  { document: idOrName, nodes: names, inside, cursor }: NodesArguments,
  context: ToolContext,
): Promise<Page> {
  const { graph, ids } = findGraph(await readDocument(context, idOrName), inside)
  return cutPage(describeNodes(findNodes(names, graph, ids), graph, ids), { cursor })
}
