/** What a live document may hold. An update beyond is refused; what is there already stays. */
export const LIVE_LIMITS = {
  /** One update: as large as taking back the deletion of a few thousand nodes. */
  updateBytes: 8 * 2 ** 20,
  /** One fact, in letters: the text of a node, of a value … */
  factBytes: 2 ** 20,
  /** A tree or a text that is longer as JSON lies in the blob store. */
  inlineBytes: 16 * 2 ** 10,
  /** An id, in letters. */
  idLength: 200,
  /** Lists inside lists, in what a special kind of node keeps. */
  depth: 32,
  /** Nodes and groups together. */
  nodes: 20_000,
  wires: 100_000,
  /** All facts of a document together, in letters. */
  documentBytes: 64 * 2 ** 20,
  /** All that it refers to in the blob store, each time that it does: whoever reads the document is given it. */
  valueBytes: 256 * 2 ** 20,
} as const

export type LiveLimits = { readonly [Name in keyof typeof LIVE_LIMITS]: number }
