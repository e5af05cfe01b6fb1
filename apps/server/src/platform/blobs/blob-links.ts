import type { DocumentId, TokenId, UserId } from '@meadow/contract'

/** A blob as it is downloaded through a link. */
export interface LinkedFile {
  digest: string
  fileName: string
  mediaType: string
  /** Whether the address that the blob was read at names its bytes: it is then cached without asking again. */
  isImmutable?: boolean
}

export interface BlobLink extends LinkedFile {
  /** When the link stops working, in milliseconds since 1970. */
  expiresAt: number
  /**
   * The token or person that requested it. The link stops working when the token is revoked, when the person is no
   * longer a member of the team, and when the document is deleted.
   */
  token: TokenId | UserId
  document: DocumentId
}
