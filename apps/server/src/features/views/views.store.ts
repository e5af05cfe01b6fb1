import type { ViewId } from '@meadow/contract'
import type { NamedView, ViewPlace } from '@meadow/contract/web'
import type { Actor } from '../../access/current-roles.ts'
import type { DocumentAccess } from '../../access/resource-access.store.ts'
import { recordEvent } from '../../audit/record-event.ts'
import { listRevisions, publishRevision } from '../../content/revisions.ts'
import { changeBeside } from '../../http/app-api/change-beside.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import { createPublicId, isPublicId } from '../../platform/public-ids.ts'

/** The most named views that a document can have. */
const MAX_VIEWS = 200
/** How many of the views that were deleted last can be restored. */
const MAX_DELETED = 20
/** The maximum length of the JSON of what a view shows, in characters. */
const MAX_PLACE_LENGTH = 16_384

/** The named views of documents. `id`s of views are what the caller sent. All changes throw an `HttpError`. */
export interface ViewStore {
  /** Lists the views, the oldest first, with the revision that they are of, or an earlier one. */
  list(document: DocumentKey): Promise<{ views: NamedView[]; revision: number }>
  create(change: ViewChange, name: string, place: ViewPlace): Promise<NamedView>
  /** Changes a view; what `next` leaves out stays. */
  change(change: ViewChange, id: string, next: { name?: string; place?: ViewPlace }): Promise<NamedView>
  delete(change: ViewChange, id: string): Promise<void>
  restore(change: ViewChange, id: string): Promise<NamedView>
}

/** Who changes the views of which document. */
export interface ViewChange {
  access: DocumentAccess
  actor: Actor
}

export function createViewStore(database: Database): ViewStore {
  /** Runs a change in one transaction, records it, and tells the pages that have the document open. */
  const write = <T extends Pick<NamedView, 'id' | 'name'>>(
    { access, actor }: ViewChange,
    action: `view.${'saved' | 'changed' | 'deleted' | 'restored'}`,
    work: (write: Write, document: DocumentKey) => Promise<T>,
  ): Promise<T> =>
    changeBeside(database, actor, access, async (write, documentName) => {
      const view = await work(write, access.document)
      recordEvent(write, {
        action,
        team: actor.team,
        target: { kind: 'document', id: access.documentId, name: documentName },
        details: { view: view.id, name: view.name },
      })
      await publishRevision(database, write, 'views', access.document)
      return view
    })

  return {
    async list(document) {
      const revisions = await listRevisions(database, 'views', [document])
      const rows = await database.read
        .selectFrom('named_view')
        .where('document_id', '=', document)
        .where('deleted_at', 'is', null)
        // `id` alone would be the public one.
        .orderBy('named_view.id')
        .select(['public_id as id', 'name', 'place'])
        .execute()
      return { views: rows.map(toView), revision: revisions.get(document) ?? 0 }
    },

    create: (change, name, place) =>
      write(change, 'view.saved', async (write, document) => {
        await checkCount(write, document)
        const view = { public_id: createPublicId('viw'), name, place: toText(place) }
        await write
          .insertInto('named_view')
          .values({ ...view, document_id: document, deleted_at: null })
          .execute()
        return { id: view.public_id, name, place }
      }),

    change: (change, id, { name, place }) =>
      write(change, 'view.changed', async (write, document) => {
        const before = await getView(write, document, id)
        const next = { name: name ?? before.name, place: place ? toText(place) : before.place }
        await write.updateTable('named_view').set(next).where('id', '=', before.key).execute()
        return toView({ id: before.id, ...next })
      }),

    async delete(change, id) {
      await write(change, 'view.deleted', async (write, document) => {
        const view = await getView(write, document, id)
        await write
          .updateTable('named_view')
          .set({ deleted_at: timeOf(write) })
          .where('id', '=', view.key)
          .execute()
        await removeDeleted(write, document)
        return view
      })
    },

    restore: (change, id) =>
      write(change, 'view.restored', async (write, document) => {
        const view = await getView(write, document, id, { isDeleted: true })
        await checkCount(write, document)
        await write.updateTable('named_view').set({ deleted_at: null }).where('id', '=', view.key).execute()
        return toView(view)
      }),
  }
}

interface ViewRow {
  id: ViewId
  name: string
  place: string
}

const toView = ({ id, name, place }: ViewRow): NamedView => ({ id, name, place: JSON.parse(place) })

function toText(place: ViewPlace): string {
  const text = JSON.stringify(place)
  if (text.length > MAX_PLACE_LENGTH) throw new HttpError('view_too_large')
  return text
}

async function getView(write: Write, document: DocumentKey, id: string, { isDeleted = false } = {}) {
  const view = isPublicId('viw', id)
    ? await write
        .selectFrom('named_view')
        .where('public_id', '=', id)
        .where('document_id', '=', document)
        .where('deleted_at', isDeleted ? 'is not' : 'is', null)
        .select(['id as key', 'public_id as id', 'name', 'place'])
        .executeTakeFirst()
    : undefined
  if (!view) throw new HttpError('view_not_found')
  return view
}

async function checkCount(write: Write, document: DocumentKey): Promise<void> {
  const { count } = await write
    .selectFrom('named_view')
    .where('document_id', '=', document)
    .where('deleted_at', 'is', null)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_VIEWS) throw new HttpError('too_many_views')
}

/** Removes the deleted views that can no longer be restored. */
async function removeDeleted(write: Write, document: DocumentKey): Promise<void> {
  const older = await write
    .selectFrom('named_view')
    .where('document_id', '=', document)
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_DELETED)
    // SQLite takes an offset with a limit only; one deletion leaves one too many.
    .limit(MAX_DELETED)
    .select('id')
    .execute()
  if (older.length === 0) return
  await write
    .deleteFrom('named_view')
    .where(
      'id',
      'in',
      older.map(({ id }) => id),
    )
    .execute()
}
