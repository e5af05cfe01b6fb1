import type { IncomingHttpHeaders } from 'node:http'
import { type Access, type AppEndpoint, type AppErrorCode, hasRole } from '@meadow/contract/web'
import type {
  DocumentAccess,
  Requester,
  ResourceAccess,
  TeamAccess,
} from '../../access/resource-access.store.ts'
import type { Person, SessionStore } from '../../access/sessions.store.ts'
import { hostNameOf } from '../host.ts'
import { HttpError } from '../http-error.ts'

/** Who asks, and how they stand to what the path names. */
export interface Caller {
  person: Person | undefined
  here: TeamAccess | undefined
}

export interface CallerParts {
  sessions: Pick<SessionStore, 'findPerson'>
  places: ResourceAccess
}

/**
 * Checks that whoever sent a request may call the endpoint: signed in (401), what the path names is there and theirs to
 * see (404), and their role is enough (403). In this order, so that an id of another team is one that nothing has.
 */
export async function findCaller(
  { needs }: Pick<AppEndpoint, 'needs'>,
  params: Record<string, string>,
  headers: IncomingHttpHeaders,
  { sessions, places }: CallerParts,
): Promise<Caller> {
  const person = await sessions.findPerson(headers.cookie)
  if (needs === 'anyone') return { person, here: undefined }
  if (!person && needs !== 'visitor') throw new HttpError('not_signed_in')
  if (needs === 'person') return { person, here: undefined }
  const asker = { user: person?.userId, host: hostNameOf(headers.host) }
  const { place, missing } = await findPlace(params, asker, places)
  if (!place || !maySee(place, needs)) throw new HttpError(missing)
  if (needs !== 'visitor' && !hasRole(place.role!, needs)) throw new HttpError('role_missing')
  return { person, here: place }
}

/** Members see what is their team's; a public document is there for everyone who has its address (decision 15). */
const maySee = (place: TeamAccess & Partial<DocumentAccess>, needs: Access): boolean =>
  place.role !== null || (needs === 'visitor' && place.visibility === 'public')

async function findPlace(
  { documentId, folderId, binItemId, teamId }: Record<string, string>,
  asker: Requester,
  places: ResourceAccess,
): Promise<{ place: TeamAccess | undefined; missing: AppErrorCode }> {
  if (documentId !== undefined)
    return { place: await places.findDocument(asker, documentId), missing: 'document_not_found' }
  if (folderId !== undefined)
    return { place: await places.findFolder(asker, folderId), missing: 'folder_not_found' }
  if (binItemId !== undefined)
    return { place: await places.findBinItem(asker, binItemId), missing: 'bin_item_not_found' }
  return { place: await places.findTeam(asker, teamId!), missing: 'team_not_found' }
}
