import type {
  FolderId,
  FolderReference,
  Scope,
  TokenEndReason,
  TokenId,
  TokenKind,
  TokenOverlap,
  UserId,
} from '@meadow/contract'
import { recordEvent } from '../audit/record-event.ts'
import type { Select, Write } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import { readName } from '../platform/database/names.ts'
import type { TeamKey, TokenKey } from '../platform/database/tables.ts'
import { createPublicId, isPublicId } from '../platform/public-ids.ts'
import { sortByName } from '../platform/sort-by-name.ts'
import { type FilingError, type FolderRecord, getFolders } from '../team/folders.ts'
import type { TeamTransaction, TeamWrite } from '../team/team-transaction.ts'
import { tellOfNewToken } from './account-notices.ts'
import { applyTokenPolicy, readList, readTokenPolicy, writeList } from './token-policy.ts'
import { createTokenSecret, hashToken, readScopes, tokenHint, writeScopes } from './tokens.ts'

export interface TokenRecord {
  id: TokenId
  name: string
  kind: TokenKind
  /** The first characters of the secret. */
  hint: string
  scopes: Scope[]
  /** The networks that it works from; none: any. */
  addresses: string[]
  /** The origins whose pages may read with it in a browser. */
  origins: string[]
  createdAt: number
  lastUsedAt: number | null
  lastUsedFrom: string | null
  expiresAt: number | null
  revokedAt: number | null
  /** Why the server revoked it; null when it was not revoked, or by a person. */
  endReason: TokenEndReason | null
  /** The token that took its place. */
  replacedBy: TokenId | null
  /** The folders that it is limited to, except those that were deleted permanently; null for the whole team. */
  folders: FolderReference[] | null
}

export interface NewToken {
  name: string
  /** Made by `createTokenSecret`. Only its hash is stored. */
  secret: string
  scopes: readonly Scope[]
  /** The token never expires if this is left out or null. */
  expiresAt?: number | null | undefined
  /** A member who may make tokens; undefined for the operator. */
  createdBy?: UserId | undefined
  /** The kind; by default `service` for the operator, `personal` for a member. */
  kind?: TokenKind | undefined
  /** The networks that it works from; default: any. */
  addresses?: readonly string[] | undefined
  /** The origins whose pages may read with it; default: none. */
  origins?: readonly string[] | undefined
  /** The folders that it may read, with everything below; undefined for the whole team. */
  folders?: readonly FolderId[] | undefined
  /** The program that fetched the token by itself, for the audit log. */
  program?: string | undefined
}

/** The columns of a `TokenRecord`, unparsed. */
const TOKEN_COLUMNS = [
  'token.public_id as id',
  'token.name',
  'token.kind',
  'token.hint',
  'token.scopes',
  'token.addresses',
  'token.origins',
  'token.created_at as createdAt',
  'token.last_used_at as lastUsedAt',
  'token.last_used_from as lastUsedFrom',
  'token.expires_at as expiresAt',
  'token.revoked_at as revokedAt',
  'token.end_reason as endReason',
  'token.replaced_by as replacedBy',
  'token.id as key',
  'token.is_limited as isLimited',
] as const

interface TokenRow extends Omit<TokenRecord, 'scopes' | 'addresses' | 'origins' | 'folders'> {
  scopes: string
  addresses: string | null
  origins: string | null
  key: TokenKey
  isLimited: 0 | 1
}

const toRecord = (
  { key: _, isLimited: __, ...row }: TokenRow,
  folders: TokenRecord['folders'],
): TokenRecord => ({
  ...row,
  scopes: readScopes(row.scopes),
  addresses: readList(row.addresses),
  origins: readList(row.origins),
  folders,
})

/** Lists the tokens of a team, oldest first. */
export async function listTokens(read: Select, team: TeamKey): Promise<TokenRecord[]> {
  const tokens = read
    .selectFrom('token')
    .where('team_id', '=', team)
    .orderBy('token.id')
    .select(TOKEN_COLUMNS)
  const foldersOf = await readTokenFolders(read, team)
  return (await tokens.execute()).map((row) => toRecord(row, foldersOf(row)))
}

/** The id of the token with this secret, whether it is valid or not. */
export async function findTokenBySecret(read: Select, secret: string): Promise<TokenId | undefined> {
  const token = read.selectFrom('token').where('hash', '=', hashToken(secret)).select('public_id as id')
  return (await token.executeTakeFirst())?.id
}

/** The folders of the team's limited tokens, by name; null for a token that is not limited. */
export async function readTokenFolders(read: Select, team: TeamKey) {
  const rows = await read
    .selectFrom('token_folder')
    .innerJoin('token', 'token.id', 'token_folder.token_id')
    .innerJoin('folder', 'folder.id', 'token_folder.folder_id')
    .where('token.team_id', '=', team)
    .select(['token.id as token', 'folder.public_id as id', 'folder.name'])
    .execute()
  const byToken = Map.groupBy(rows, ({ token }) => token)
  return ({ key, isLimited }: { key: TokenKey; isLimited: 0 | 1 }): FolderReference[] | null =>
    isLimited === 1 ? sortByName((byToken.get(key) ?? []).map(({ id, name }) => ({ id, name }))) : null
}

/** Why a token cannot be replaced: it has ended, or another one took its place already. */
export class TokenNotReplaceableError extends Error {
  constructor() {
    super('The API token has ended, or another one took its place already.')
  }
}

export interface ReplacedToken {
  token: TokenRecord
  /** The secret of the new token. */
  secret: string
}

const HOUR_MS = 3_600_000

/** `folders`: those that the token is limited to. */
async function insertToken(
  { write, team, record }: TeamTransaction,
  token: Omit<NewToken, 'folders'> & { expiresAt: number | null },
  folders: readonly FolderRecord[] | undefined,
  now: number,
): Promise<TokenRecord> {
  const { name, secret, scopes, expiresAt, createdBy, addresses = [], origins = [], program } = token
  const isLimited = folders !== undefined
  const row = await write
    .insertInto('token')
    .values({
      public_id: createPublicId('tok'),
      team_id: team,
      name: readName(name),
      kind: token.kind ?? (createdBy === undefined ? 'service' : 'personal'),
      hint: tokenHint(secret),
      hash: hashToken(secret),
      scopes: writeScopes(scopes),
      is_limited: isLimited ? 1 : 0,
      addresses: writeList(addresses),
      origins: writeList(origins),
      created_at: now,
      expires_at: expiresAt,
      revoked_at: null,
      created_by: createdBy ?? null,
    })
    .returning(TOKEN_COLUMNS)
    .executeTakeFirstOrThrow()
  if (folders?.length) {
    const rows = folders.map((folder) => ({ token_id: row.key, folder_id: folder.key }))
    await write.insertInto('token_folder').values(rows).execute()
  }
  const expires = row.expiresAt === null ? null : new Date(row.expiresAt).toISOString()
  record({
    action: 'token.created',
    target: { kind: 'token', id: row.id, name: row.name },
    details: {
      kind: row.kind,
      scopes,
      expires,
      addresses,
      ...(origins.length > 0 && { origins }),
      folders: folders?.map(({ id }) => id) ?? null,
      ...(program !== undefined && { program }),
    },
  })
  return toRecord(row, folders ? sortByName(folders.map(({ id, name }) => ({ id, name }))) : null)
}

/** The folders that a token is limited to, also those in the bin; undefined for the whole team. */
async function findFolders(
  { write, team }: TeamWrite,
  { key, isLimited }: TokenRow,
): Promise<FolderRecord[] | undefined> {
  if (isLimited === 0) return undefined
  return write
    .selectFrom('token_folder')
    .innerJoin('folder', 'folder.id', 'token_folder.folder_id')
    .where('token_folder.token_id', '=', key)
    .where('folder.team_id', '=', team)
    .select(['folder.id as key', 'folder.public_id as id', 'folder.name'])
    .execute()
}

/**
 * Checks a token that is made later, and returns its folders, its end and the current time. Throws a `TokenPolicyError`
 * when the team's policy does not allow the token, and a {@link FilingError} when it is to be limited to a folder that
 * the team does not have.
 */
export async function checkToken(
  { write, team }: TeamWrite,
  { expiresAt = null, scopes, folders: ids }: Pick<NewToken, 'expiresAt' | 'scopes' | 'folders'>,
) {
  const now = timeOf(write)
  const folders = ids && (await getFolders(write, team, ids))
  const policy = await readTokenPolicy(write, team)
  return { folders, expiresAt: applyTokenPolicy(policy, { expiresAt, scopes }, now), now }
}

/** Throws what {@link checkToken} throws. */
export async function createToken(change: TeamTransaction, token: NewToken): Promise<TokenRecord> {
  const { write, team } = change
  const { folders, expiresAt, now } = await checkToken(change, token)
  const created = await insertToken(change, { ...token, expiresAt }, folders, now)
  if (token.createdBy !== undefined) await tellOfNewToken(write, token.createdBy, { ...created, team })
  return created
}

/**
 * Creates a token with everything that the team's token `id` has, which lasts as long as that was meant to, as far as
 * the team's policy allows. The replaced one ends after `overlapHours` at the latest. Undefined when the team has no
 * such token; throws a {@link TokenNotReplaceableError}.
 */
export async function replaceToken(
  change: TeamTransaction,
  id: string,
  overlapHours: TokenOverlap,
): Promise<ReplacedToken | undefined> {
  const { write, team, record } = change
  if (!isPublicId('tok', id)) return undefined
  const now = timeOf(write)
  const row = await write
    .selectFrom('token')
    .where('public_id', '=', id)
    .where('team_id', '=', team)
    .select([...TOKEN_COLUMNS, 'token.created_by as createdBy'])
    .executeTakeFirst()
  if (!row) return undefined
  const folders = await findFolders(change, row)
  const { createdBy, ...facts } = row
  const old = toRecord(facts, null)
  const hasEnded = old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt <= now)
  if (hasEnded || old.replacedBy !== null) throw new TokenNotReplaceableError()
  const policy = await readTokenPolicy(write, team)
  const chosen = old.expiresAt === null ? Number.POSITIVE_INFINITY : now + old.expiresAt - old.createdAt
  const longest =
    policy.longestDays === null ? Number.POSITIVE_INFINITY : now + 24 * policy.longestDays * HOUR_MS
  const end = Math.min(chosen, longest)
  const secret = createTokenSecret()
  const token = await insertToken(
    change,
    {
      ...old,
      secret,
      createdBy: createdBy ?? undefined,
      expiresAt: Number.isFinite(end) ? end : null,
    },
    folders,
    now,
  )
  if (old.kind === 'personal' && createdBy !== null)
    await tellOfNewToken(write, createdBy, { ...token, team })
  await write
    .updateTable('token')
    .set({
      expires_at: Math.min(now + overlapHours * HOUR_MS, old.expiresAt ?? Number.POSITIVE_INFINITY),
      replaced_by: token.id,
    })
    .where('public_id', '=', id)
    .where('team_id', '=', team)
    .execute()
  record({
    action: 'token.replaced',
    target: { kind: 'token', id, name: old.name },
    details: { by: token.id, overlapHours },
  })
  return { token, secret }
}

/** Revokes a token; false when the team has no such token. One that was revoked before keeps its time. */
export async function revokeToken(
  { write, team, record }: TeamTransaction,
  id: string,
  reason?: TokenEndReason,
): Promise<boolean> {
  if (!isPublicId('tok', id)) return false
  const token = await write
    .selectFrom('token')
    .where('public_id', '=', id)
    .where('team_id', '=', team)
    .select(['name', 'revoked_at as revokedAt'])
    .executeTakeFirst()
  if (!token) return false
  if (token.revokedAt !== null) return true
  await write
    .updateTable('token')
    .set({ revoked_at: timeOf(write), end_reason: reason ?? null })
    .where('public_id', '=', id)
    .where('team_id', '=', team)
    .execute()
  record({
    action: 'token.revoked',
    target: { kind: 'token', id, name: token.name },
    details: reason && { reason },
  })
  return true
}

/**
 * Revokes the personal tokens of a user in a team, in the transaction that takes from that user the right to make them.
 * Tokens that were revoked before keep their time; service tokens stay.
 */
export async function revokeTokensOf(
  write: Write,
  team: TeamKey,
  user: UserId,
  reason: TokenEndReason,
): Promise<void> {
  const ended = await write
    .updateTable('token')
    .set({ revoked_at: timeOf(write), end_reason: reason })
    .where('team_id', '=', team)
    .where('created_by', '=', user)
    .where('kind', '=', 'personal')
    .where('revoked_at', 'is', null)
    .returning(['public_id as id', 'name'])
    .execute()
  for (const token of ended)
    recordEvent(write, {
      action: 'token.ended',
      team,
      target: { kind: 'token', ...token },
      details: { reason },
    })
}
