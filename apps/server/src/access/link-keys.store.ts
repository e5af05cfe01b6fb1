import { randomBytes } from 'node:crypto'
import type { LinkKey, LinkKeys } from '../platform/blobs/signed-links.ts'
import type { Database, Select, Write } from '../platform/database/database.ts'
import type { LinkKeyId } from '../platform/database/tables.ts'

/** Every SQL statement about the keys that links are signed with. */
export interface LinkKeyStore extends LinkKeys {
  /** The key that signs; made when there is none yet. */
  getCurrent(): Promise<LinkKey>
  /** A new key signs from now on. Links that exist work until they expire, unless `endLinks`. */
  rotate(options: { endLinks: boolean }): Promise<void>
}

const SECRET_BYTES = 32

export function createLinkKeyStore(database: Database, now: () => number = Date.now): LinkKeyStore {
  const current = database.prepare((read) => selectKeys(read).where('retired_at', 'is', null))
  const byId = database.prepare((read, { id }: { id: LinkKeyId }) => selectKeys(read).where('id', '=', id))

  /** Of several processes that start at once, one makes it. */
  async function makeFirst(): Promise<LinkKey> {
    await database.transaction((write) => insertKey(write, now()))
    return (await current.first({}))!
  }

  return {
    getCurrent: async () => (await current.first({})) ?? makeFirst(),
    find: (id) => byId.first({ id: id as LinkKeyId }),
    rotate: ({ endLinks }) =>
      database.transaction(async (write) => {
        // Those that were retired within the last hour have links too.
        await write
          .updateTable('link_key')
          .set({ retired_at: endLinks ? 0 : now() })
          .$if(!endLinks, (keys) => keys.where('retired_at', 'is', null))
          .execute()
        await insertKey(write, now())
      }),
  }
}

const selectKeys = (read: Select) =>
  read.selectFrom('link_key').select(['id', 'secret', 'retired_at as retiredAt'])

/** Does nothing when there is one that signs. */
const insertKey = (write: Write, now: number) =>
  write
    .insertInto('link_key')
    .values({ secret: randomBytes(SECRET_BYTES), created_at: now, retired_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
