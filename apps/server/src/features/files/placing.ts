import { hash } from 'node:crypto'
import type { Node } from '@meadow/contract'
import type { LibraryKind, PlaceableItem } from '@meadow/contract/web'
import { CLUSTER } from '@meadow/document'
import { listReferences, putLargeValues } from '@meadow/document/live'
import { type Actor, checkActor } from '../../access/current-roles.ts'
import type { DocumentAccess } from '../../access/resource-access.store.ts'
import type { StoredJson } from '../../content/content.store.ts'
import { addValues } from '../../content/document-values.ts'
import type { Reserve } from '../../content/stored-json.ts'
import { HttpError } from '../../http/http-error.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { discardBlobsUnlessUsed } from '../../team/content-blobs.ts'
import { lockTeam } from '../../team/raise-version.ts'
import type { LibraryRow } from './files.store.ts'

export interface PlacingParts {
  database: Database
  blobs: BlobStore
  /** The content of a document, as its editors see it; undefined when it was deleted. */
  findContent(document: DocumentKey, reserve: Reserve): Promise<StoredJson | undefined>
  /** The node that a library item places; undefined when it cannot be read, or takes too much time or memory. */
  readNode(digest: string, kind: LibraryKind, team: TeamKey): Promise<Node | undefined>
  /** Reads the JSON of a document's placed clusters; undefined when that fails, or takes too much time or memory. */
  readClusters(content: StoredJson, team: TeamKey): Promise<Uint8Array | undefined>
}

/** The maximum length of a description in a list, in characters. */
const MAX_DESCRIPTION = 300

/** Library items as they are listed to be placed. */
export async function describePlaceable(rows: readonly LibraryRow[]): Promise<PlaceableItem[]> {
  if (rows.length === 0) return []
  // Nothing else in the server needs the solver, which takes a tenth of a second to load.
  const { findUnsupportedReason } = await import('@meadow/solver')
  return rows.map(({ id, name: fileName, thumbnail, facts }) => {
    const templateId = facts.kind === 'cluster' ? CLUSTER : facts.componentId
    const name = facts.name.trim() || fileName.replace(/\.[^.]+$/, '')
    return {
      fileId: id,
      fileName,
      name,
      nickName: facts.nickname || name,
      description: facts.description.slice(0, MAX_DESCRIPTION).toWellFormed(),
      category: facts.kind === 'user_object' ? facts.category.trim() : '',
      subcategory: facts.kind === 'user_object' ? facts.subcategory.trim() : '',
      kind: facts.kind,
      hasIcon: thumbnail !== null,
      unsolved:
        templateId === CLUSTER && facts.nodes === null
          ? 'What is inside this cluster is not known'
          : (findUnsupportedReason(asNode(templateId, name)) ?? null),
    }
  })
}

/** Returns as much of a node as decides whether its class is solved. */
const asNode = (templateId: string, name: string): Node => ({
  ...{ instanceId: '', templateId, name, nickName: name, position: { x: 0, y: 0 } },
  ...{ status: { isEnabled: true, isPreviewed: true }, sources: {}, values: {}, ports: {} },
  ...{ inputs: { port: 0 }, outputs: {} },
})

/**
 * Stores the large values of a node that is about to be placed, so that the document may refer to them. What no edit
 * refers to by the next snapshot of the document is removed again.
 */
export async function storePlacedNode(
  { database, blobs }: Pick<PlacingParts, 'database' | 'blobs'>,
  actor: Actor,
  { document }: DocumentAccess,
  node: Node,
): Promise<Node> {
  const content = {
    nodes: { [node.instanceId]: node },
    groups: [],
    configuration: { inputs: [], outputs: [] },
  }
  const { nodes } = await putLargeValues(content, async (json) => {
    await discardBlobsUnlessUsed(database, [hash('sha256', json)])
    return (await blobs.put(Buffer.from(json))).digest
  })
  const stored = nodes[node.instanceId]!
  await database.transaction(async (write) => {
    // The lock is taken before the roles are read, because changes of members wait for it.
    await lockTeam(write, actor.team)
    await checkActor(database, write, actor)
    const found = await write
      .selectFrom('document')
      .where('id', '=', document)
      .where('team_id', '=', actor.team)
      .where('bin_id', 'is', null)
      .select('id')
      .executeTakeFirst()
    if (!found) throw new HttpError('document_not_found')
    await addValues(write, document, listReferences(JSON.stringify(stored)))
  })
  return stored
}
