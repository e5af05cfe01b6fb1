import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { hasRole } from '@meadow/contract'
import type { Access, AppEndpoint, AppErrorCode } from '@meadow/contract/web'
import type {
  DocumentAccess,
  Requester,
  ResourceAccess,
  TeamAccess,
} from '../../access/resource-access.store.ts'
import type { Person, SessionStore } from '../../access/sessions.store.ts'
import type { FolderKey, TeamKey } from '../../platform/database/tables.ts'
import { hostNameOf } from '../connection/address.ts'
import { HttpError } from '../http-error.ts'

/** The signed-in person, and their access to the resource that the path names. */
export interface Caller {
  person: Person | undefined
  access: TeamAccess | undefined
}

export interface AuthorizeParts {
  sessions: Pick<SessionStore, 'findPerson'>
  resourceAccess: ResourceAccess
}

/**
 * Checks that the caller may use the endpoint: they are signed in (401), the resource in the path exists and they may
 * see it (404), their role is sufficient (403), and they proved lately who they are if that is needed (403). The checks
 * have this order so that an id of another team looks like a missing one.
 */
export async function authorize(
  endpoint: Pick<AppEndpoint, 'needs' | 'needsFreshSignIn'>,
  params: Record<string, string>,
  headers: IncomingHttpHeaders,
  parts: AuthorizeParts,
): Promise<Caller> {
  const caller = await findCaller(endpoint, params, headers, parts)
  if (endpoint.needsFreshSignIn && !caller.person?.isFresh) throw new HttpError('fresh_sign_in_needed')
  return caller
}

async function findCaller(
  { needs }: Pick<AppEndpoint, 'needs'>,
  params: Record<string, string>,
  headers: IncomingHttpHeaders,
  { sessions, resourceAccess }: AuthorizeParts,
): Promise<Caller> {
  const person = await sessions.findPerson(headers.cookie)
  if (needs === 'anyone') return { person, access: undefined }
  const isForVisitors = needs === 'player' || needs === 'visitor'
  if (!person && !isForVisitors) throw new HttpError('not_signed_in')
  if (needs === 'person') return { person, access: undefined }
  const requester = { user: person?.userId, host: hostNameOf(headers.host) }
  const { access, missing } = await findAccess(params, requester, resourceAccess)
  if (!access || !maySee(access, needs)) throw new HttpError(missing)
  if (!isForVisitors && !hasRole(access.role!, needs)) throw new HttpError('role_missing')
  return { person, access }
}

async function findAccess(
  { documentId, folderId, fileId, binItemId, teamId }: Record<string, string>,
  requester: Requester,
  resourceAccess: ResourceAccess,
): Promise<{ access: TeamAccess | undefined; missing: AppErrorCode }> {
  if (documentId !== undefined)
    return { access: await resourceAccess.findDocument(requester, documentId), missing: 'document_not_found' }
  if (folderId !== undefined)
    return { access: await resourceAccess.findFolder(requester, folderId), missing: 'folder_not_found' }
  if (fileId !== undefined)
    return { access: await resourceAccess.findFile(requester, fileId), missing: 'file_not_found' }
  if (binItemId !== undefined)
    return { access: await resourceAccess.findBinItem(requester, binItemId), missing: 'bin_item_not_found' }
  return { access: await resourceAccess.findTeam(requester, teamId!), missing: 'team_not_found' }
}

/**
 * Members see what belongs to their team; a public document is visible to everyone who has its address (decision 15), and of
 * one that is shared as its player, what the player needs (decision 45).
 */
const maySee = (access: TeamAccess & Partial<DocumentAccess>, needs: Access): boolean =>
  access.role !== null ||
  (access.visibility === 'public' && (needs === 'visitor' || needs === 'player')) ||
  (access.visibility === 'player' && needs === 'player')

/**
 * Finds the folder that something is to be moved or copied to. Throws when it is missing or belongs to another team.
 */
export async function findTargetFolder(
  resourceAccess: Pick<ResourceAccess, 'findFolder'>,
  requester: Requester,
  team: TeamKey,
  id: string,
): Promise<FolderKey> {
  const target = await resourceAccess.findFolder(requester, id)
  if (!target || target.role === null) throw new HttpError('folder_not_found')
  if (target.team !== team) throw new HttpError('folder_of_another_team')
  return target.folder
}

/**
 * Rejects requests that a browser sends for a page of another site, where it would add the session cookie: older
 * browsers do so with forms, and with sockets. Browsers say where a request comes from; a program that does not say so
 * has no cookie that it was not given.
 */
export function checkSameSite({ headers }: IncomingMessage, ownOrigin: string | undefined): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') throw new HttpError('request_from_another_site')
  if (origin === undefined || origin === ownOrigin) return
  // A proxy may have ended TLS, so the scheme cannot be compared.
  if (URL.parse(origin)?.host !== host?.toLowerCase()) throw new HttpError('request_from_another_site')
}
