import type { Document } from '@meadow/client'
import { describeNodes } from '../text/describe-nodes.ts'
import { outlineCluster, outlineDocument } from '../text/outline.ts'
import { cutPage, type Page } from '../text/page.ts'
import type { ToolContext } from './context.ts'
import { readByIdOrName } from './find-document.ts'
import { findGraph, findNodes } from './find-graph.ts'

/** Of a page of an outline, in UTF-8. */
const MAX_OUTLINE_BYTES = 16_000

export interface OutlineArguments {
  document: string
  inside?: string
  cursor?: string
}

export interface NodesArguments extends OutlineArguments {
  nodes: string[]
}

const readDocument = (context: ToolContext, idOrName: string): Promise<Document> =>
  readByIdOrName(context, idOrName, (id) => context.meadow.readDocument(id, { signal: context.signal }))

/** The nodes, wires and groups of a document or of a cluster, as text. */
export async function outline(
  { document: idOrName, inside, cursor }: OutlineArguments,
  context: ToolContext,
): Promise<Page> {
  const document = await readDocument(context, idOrName)
  const { graph, clusters, title } = findGraph(document, inside)
  const lines = title === undefined ? outlineDocument(document) : outlineCluster(title, graph, clusters)
  return cutPage(lines, { cursor, maxBytes: MAX_OUTLINE_BYTES })
}

/** Everything that a document says of some of its nodes. */
export async function readNodes(
  { document: idOrName, nodes: names, inside, cursor }: NodesArguments,
  context: ToolContext,
): Promise<Page> {
  const { graph, ids } = findGraph(await readDocument(context, idOrName), inside)
  return cutPage(describeNodes(findNodes(names, graph, ids), graph, ids), { cursor })
}
