import type { StoredJson } from '../../content/content.store.ts'

/** The UTF-8 bytes of a `GraphContent` as JSON, or the digest of the blob that holds them, as of `seq`. */
export type SolveContent = { seq: number } & StoredJson
