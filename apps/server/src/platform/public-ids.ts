import type {
  BinItemId,
  DocumentId,
  FolderId,
  InvitationId,
  MirrorId,
  SolutionId,
  TeamFileId,
  TeamId,
  TokenId,
  UserId,
} from '@meadow/contract'
import { BASE32, isBase32, randomBase32 } from './base32.ts'

/** The kinds of public ids, by their prefix. */
interface PublicIds {
  team: TeamId
  fld: FolderId
  doc: DocumentId
  fil: TeamFileId
  tok: TokenId
  sol: SolutionId
  usr: UserId
  bin: BinItemId
  inv: InvitationId
  mir: MirrorId
}

/** 80 random bits: unique, and impossible to guess. */
const RANDOM_LENGTH = 16

/** A new id: its prefix, `_`, and random characters. */
export function createPublicId<Kind extends keyof PublicIds>(kind: Kind): PublicIds[Kind] {
  return `${kind}_${randomBase32(RANDOM_LENGTH)}` as PublicIds[Kind]
}

/**
 * Whether `text`, which may be any input, has the form of an id. Other text is never sent to the database: PostgreSQL
 * rejects NUL, and there are no such ids anyway.
 */
export function isPublicId<Kind extends keyof PublicIds>(kind: Kind, text: string): text is PublicIds[Kind] {
  const start = kind.length + 1
  return text.length === start + RANDOM_LENGTH && text.startsWith(`${kind}_`) && isBase32(text.slice(start))
}

/** How many bits of an id `publicIdOrder` uses: four characters of five bits. */
export const PUBLIC_ID_ORDER_BITS = 20

/** A number that orders ids of one kind like their text, as far as the first four random characters determine. */
export function publicIdOrder(id: string): number {
  const start = id.indexOf('_') + 1
  let order = 0
  for (const character of id.slice(start, start + 4)) order = order * 32 + BASE32.indexOf(character)
  return order
}
