import type {
  BinItemId,
  CommentId,
  DeliveryId,
  DocumentId,
  FolderId,
  InvitationId,
  MirrorId,
  SolutionId,
  TeamFileId,
  TeamId,
  ThreadId,
  TokenId,
  UserId,
  VersionId,
  ViewId,
  WebhookId,
} from '@meadow/contract'
import { BASE32_DIGIT, randomBase32 } from './base32.ts'

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
  whk: WebhookId
  msg: DeliveryId
  mir: MirrorId
  ver: VersionId
  thr: ThreadId
  com: CommentId
  viw: ViewId
}

/** The number of random characters, whose 80 bits make ids unique and impossible to guess. */
const RANDOM_LENGTH = 16

/** Creates a new id: its prefix, `_`, and random characters. */
export function createPublicId<Kind extends keyof PublicIds>(kind: Kind): PublicIds[Kind] {
  return `${kind}_${randomBase32(RANDOM_LENGTH)}` as PublicIds[Kind]
}

/**
 * Whether text of any input can be compared with what is stored: PostgreSQL rejects NUL, and no text there holds it.
 */
export const isStorable = (text: string): boolean => !text.includes('\0')

/**
 * Whether `text`, which may be any input, has the form of an id. Other text is never sent to the database: PostgreSQL
 * rejects NUL, and there are no such ids anyway.
 */
export function isPublicId<Kind extends keyof PublicIds>(kind: Kind, text: string): text is PublicIds[Kind] {
  let form = forms.get(kind)
  if (!form) {
    form = new RegExp(`^${kind}_${BASE32_DIGIT}{${RANDOM_LENGTH}}$`)
    forms.set(kind, form)
  }
  return form.test(text)
}

/** The forms of ids by their kinds. */
const forms = new Map<string, RegExp>()
