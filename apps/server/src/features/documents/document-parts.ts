import type { StoredJson } from '../../content/content.store.ts'
import type { ContentIndex, ContentIndexes, IndexedContent, Span } from '../../content/content-index.ts'
import { readStoredBytes } from '../../content/read-graph.ts'
import type { Reserve } from '../../content/stored-json.ts'
import { describeMissing, findNamed, nameOf, type RequestedParts } from '../../http/api/requested-parts.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { type StoredDocument, writeFileMember } from './documents.store.ts'

/** Where the parts of documents are read from. */
export interface PartSources {
  indexes: ContentIndexes
  blobs: Pick<BlobStore, 'read' | 'size'>
}

/** A piece of the response: text, JSON that is stored by itself, or a span of the content. */
type Piece = string | StoredJson | Span

/**
 * Writes the JSON of `{ "document": … }` with the requested parts. Their bytes and their order are those of the whole
 * document. `properties` are the members that come from its row, as JSON.
 */
export async function writeParts(
  document: StoredDocument,
  properties: string,
  content: IndexedContent,
  { nodes, fields }: RequestedParts,
  { indexes, blobs }: PartSources,
  reserve: Reserve,
): Promise<Uint8Array> {
  const { file, facts } = document
  const wanted = fields && new Set(['id', ...fields])
  if (facts && 'digest' in facts.clusters && (!wanted || wanted.has('clusters')))
    await reserve(2 * (document.size + ((await blobs.size(facts.clusters.digest)) ?? 0)))
  const index = await indexes.get(content, reserve)
  const selected = nodes && selectNodes(nodes, index)
  const members = new Map<string, Piece[]>(
    Object.entries(JSON.parse(properties)).map(([name, value]) => [name, [JSON.stringify(value)]]),
  )
  if (file) members.set('file', [writeFileMember(file, facts)])
  if (file && facts) members.set('clusters', [facts.clusters])
  for (const [name, span] of index.members)
    members.set(name, name === 'nodes' && selected ? selected.pieces : [span])
  const missing = describeMissing({
    nodes: selected?.missing ?? [],
    fields: fields?.filter((name) => !members.has(name)) ?? [],
  })
  const pieces = [...members].flatMap(([name, value]) =>
    !wanted || wanted.has(name) ? [`,${JSON.stringify(name)}:`, ...value] : [],
  )
  if (missing) pieces.push(`,"notFound":${JSON.stringify(missing)}`)
  const spans = pieces.filter((piece) => typeof piece === 'object' && 'start' in piece)
  const read = (await indexes.read(content, spans, reserve)).values()
  const bytes: Uint8Array[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') bytes.push(Buffer.from(piece))
    else if ('start' in piece) bytes.push(read.next().value!)
    else bytes.push(await readStoredBytes(blobs, piece))
  }
  // In place of the comma before the first member.
  return Buffer.concat([
    Buffer.from('{"document":{'),
    bytes[0]!.subarray(1),
    ...bytes.slice(1),
    Buffer.from('}}'),
  ])
}

/** Returns the JSON of the nodes that are asked for, in the order of the document, and what no node is. */
function selectNodes(
  items: readonly string[],
  { nodes }: ContentIndex,
): { pieces: Piece[]; missing: string[] } {
  const named = findNamed(items, nodes)
  const ids = new Set<string>()
  const missing: string[] = []
  for (const item of items) {
    const name = nameOf(item)
    const found = name === undefined ? (nodes.has(item) ? [item] : []) : [...(named.get(name) ?? [])]
    if (found.length === 0) missing.push(item)
    for (const id of found) ids.add(id)
  }
  const spans = [...ids]
    .map((id) => ({ id, span: nodes.get(id)! }))
    .sort((a, b) => a.span.start - b.span.start)
  const pieces = spans.flatMap<Piece>(({ id, span }, at) => [
    `${at === 0 ? '{' : ','}${JSON.stringify(id)}:`,
    span,
  ])
  return { pieces: pieces.length === 0 ? ['{}'] : [...pieces, '}'], missing }
}
