/** Limits of a parser, so that a hostile file costs bounded time and memory. */
export interface Limits {
  /** Bytes of the archive after inflating, or of the XML text. Default 256 MiB; real files stay below 10 MB. */
  readonly maxBytes: number
  /** Items and chunks together. Default 4,000,000; real files stay below 200,000. */
  readonly maxElements: number
}

export const DEFAULT_LIMITS: Limits = { maxBytes: 256 * 1024 * 1024, maxElements: 4_000_000 }

/** How many wrong counts of a file are listed. */
export const MAX_MISCOUNTS = 100

/** The nesting of chunks, including the root, for reading and writing. Real files stay below 20. */
export const MAX_DEPTH = 200
