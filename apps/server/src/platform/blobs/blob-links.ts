import type { DocumentId, TokenId, UserId } from '@meadow/contract'

/** A blob as whoever follows a link to it gets it. */
export interface LinkedFile {
  digest: string
  fileName: string
  mediaType: string
}

export interface BlobLink extends LinkedFile {
  /** Milliseconds since 1970. From then on it leads nowhere. */
  expiresAt: number
  /**
   * What it hangs on: the token that asked for it, or the person. It ends when the token is revoked, or the person is no
   * member of the team any more, and when the document is deleted.
   */
  token: TokenId | UserId
  document: DocumentId
}

/** Makes links to blobs, which are their own credential. Those of an object store can be of another host. */
export interface BlobLinks {
  /** An address, or its path where Meadow serves the blob itself. */
  create(link: BlobLink): Promise<string>
}
