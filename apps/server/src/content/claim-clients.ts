import type { Write } from '../platform/database/database.ts'
import type { NewChange } from './change.ts'

/**
 * Makes the new Yjs clients of a change its user's. False when one of them is somebody else's already, which this
 * process did not know of yet.
 */
export async function claimClients(
  write: Write,
  { document, user, newClients = [] }: NewChange,
): Promise<boolean> {
  if (user === undefined || newClients.length === 0) return true
  await write
    .insertInto('document_client')
    .values(newClients.map((client) => ({ document_id: document, client, user_id: user })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const taken = await write
    .selectFrom('document_client')
    .where('document_id', '=', document)
    .where('client', 'in', newClients)
    .where('user_id', '<>', user)
    .select('client')
    .executeTakeFirst()
  return taken === undefined
}
