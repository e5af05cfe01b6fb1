import { randomBytes } from 'node:crypto'
import { recordEvent } from '../audit/record-event.ts'
import type { LinkKey, LinkKeys } from '../platform/blobs/signed-links.ts'
import type { Database, Select, Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import type { LinkKeyId } from '../platform/database/tables.ts'

/** All SQL about the keys that links are signed with. */
export interface LinkKeyStore extends LinkKeys {
  /** Resolves with the key that signs new links, which is made if there is no key yet. */
  getCurrent(): Promise<LinkKey>
  /** Makes a new key, which signs from now on. Existing links work until they expire, unless `endLinks` is set. */
  rotate(options: { endLinks: boolean }): Promise<void>
}

const SECRET_BYTES = 32

export function createLinkKeyStore(
  database: Database,
  now: () => number = () => timeOf(database.read),
): LinkKeyStore {
  const current = database.prepare((read) => selectKeys(read).where('retired_at', 'is', null))
  const byId = database.prepare((read, { id }: { id: LinkKeyId }) => selectKeys(read).where('id', '=', id))

  /** Makes the first key. When several processes start at once, one of them makes it. */
  async function makeFirst(): Promise<LinkKey> {
    await database.transaction((write) => insertKey(write, now()))
    return (await current.first({}))!
  }

  return {
    getCurrent: async () => (await current.first({})) ?? makeFirst(),
    find: (id) => byId.first({ id: id as LinkKeyId }),
    rotate: ({ endLinks }) =>
      database.transaction(async (write) => {
        // Keys that were retired within the last hour still have links.
        await write
          .updateTable('link_key')
          .set({ retired_at: endLinks ? 0 : now() })
          .$if(!endLinks, (keys) => keys.where('retired_at', 'is', null))
          .execute()
        await insertKey(write, now())
        recordEvent(write, { action: 'links.key_rotated', details: { endLinks } })
      }),
  }
}

const selectKeys = (read: Select) =>
  read.selectFrom('link_key').select(['id', 'secret', 'retired_at as retiredAt'])

/** Inserts a new key, unless there is a current one. */
const insertKey = (write: Write, now: number) =>
  write
    .insertInto('link_key')
    .values({ secret: randomBytes(SECRET_BYTES), created_at: now, retired_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
