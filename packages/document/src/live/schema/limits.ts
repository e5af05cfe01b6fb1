/** The limits of a live document. An update beyond a limit is rejected; existing content stays. */
export const LIVE_LIMITS = {
  /** One update: enough to undo the deletion of a few thousand nodes. */
  updateBytes: 8 * 2 ** 20,
  /** One property, in characters: the text of a node, of a value … */
  propertyBytes: 2 ** 20,
  /** A tree or text whose JSON is longer is kept in the blob store. */
  inlineBytes: 16 * 2 ** 10,
  /** An id, in characters. */
  idLength: 200,
  /** Nesting in the state of a node. */
  depth: 32,
  /** Nodes and groups together. */
  nodes: 20_000,
  wires: 100_000,
  /** All properties of a document together, in characters. */
  documentBytes: 64 * 2 ** 20,
  /** All blobs that a document refers to, counted once for each reference: a reader of the document receives them all. */
  valueBytes: 256 * 2 ** 20,
} as const

export type LiveLimits = { readonly [Name in keyof typeof LIVE_LIMITS]: number }
