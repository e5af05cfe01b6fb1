import type { TestContext } from 'node:test'
import type { MemberRole } from '@meadow/contract'
import { addNodes, createNode } from '@meadow/document/live'
import * as Y from 'yjs'
import { createSessionStore } from '../../access/sessions.store.ts'
import type { NewDocument } from '../../library/documents.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { atEnd } from '../../testing/at-end.ts'
import type { TestDatabase } from '../../testing/databases.ts'
import { givenActor } from '../../testing/given-actor.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import { createChangeLog, type Editor } from '../change-log.ts'
import { createContentStore } from '../content.store.ts'
import { createHistoryWork } from '../history/history-work.ts'
import { openReplica } from '../replica.ts'

const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const SECRET = 'the-secret-of-the-content-tests-0123456789'
const EMPTY = { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } }

/** A team, a blob store, and what documents are made and edited with. */
export async function givenContent(t: TestContext, kind: TestDatabase) {
  const location = await kind.createLocation(t)
  const open = async () => {
    const database = await openDatabase(location)
    atEnd(t, () => database.close())
    return database
  }
  const database = await open()
  const fixtures = await givenTeam(database)
  const { blobs, blobsLocation } = await openTestBlobs(t)
  const store = createContentStore(database)
  const sessions = createSessionStore(database, SECRET)

  /** Somebody who is signed in, until `expiresAt` (milliseconds since 1970), with a role in the team where one is given. */
  async function editor(
    name: string,
    role: MemberRole | null = 'member',
    expiresAt?: number,
  ): Promise<Editor> {
    const { user, session } = await givenActor(database, fixtures.team, {
      name,
      role,
      ...(expiresAt && { expiresAt }),
    })
    return { user, session }
  }

  return {
    ...fixtures,
    database,
    sessions,
    editor,
    blobs,
    blobsLocation,
    store,
    parts: { database, store, blobs, history: createHistoryWork(blobs) },
    changes: createChangeLog(database),
    /** The same database, as another process has it. */
    openElsewhere: open,
    live: (content: object = EMPTY, facts: Partial<NewDocument> = {}) =>
      fixtures.document({
        content: { kind: 'inline', bytes: Buffer.from(JSON.stringify(content)) },
        ...facts,
      }),
    open: (key: Parameters<typeof openReplica>[1]) =>
      openReplica({ database, store, blobs, history: createHistoryWork(blobs) }, key),
  }
}

/** The update of somebody who adds a slider to a document that they have open. */
export function addSlider(doc: Y.Doc): { update: Uint8Array; id: string; client: number } {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  const made: Uint8Array[] = []
  copy.on('update', (update: Uint8Array) => made.push(update))
  const slider = createNode(SLIDER, { position: { x: 0, y: 0 } })
  addNodes(copy, [slider])
  return { update: Y.mergeUpdates(made), id: slider.instanceId, client: copy.clientID }
}
