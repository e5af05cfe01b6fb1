import type { GraphContent, Node } from '@meadow/contract'
import type * as Y from 'yjs'
import type { LiveJson } from '../schema/large-value.ts'
import { openGraphProjector } from './graph-projector.ts'
import { createGraphWriter, writeNode } from './write-json.ts'

/** Projects a live document to its content. Repeated reads cost only what changed since the last one. */
export interface LiveProjector {
  /**
   * The current document, complete and valid (decision 21). Parts that did not change are the same objects as in the
   * last read. Records have no prototype. A value in the blob store is a `LargeTree` or a `LargeValue`.
   */
  read(): GraphContent
  /**
   * Returns the document as JSON text, identical to what `JSON.stringify` writes. Pieces that did not change are the
   * same strings.
   */
  readJson(): LiveJson
  /**
   * Does the work of the next `readJson` in steps of about ten milliseconds. Between them other work may be done, and the
   * document may change.
   */
  prepareJson(): Iterable<void>
  close(): void
}

/** The work is done on reads: an edit only marks the changed parts. */
export function openLiveProjector(doc: Y.Doc): LiveProjector {
  let objects: ReturnType<typeof openGraphProjector<Node>> | undefined
  let texts: ReturnType<typeof openGraphProjector<LiveJson>> | undefined
  const writeGraph = createGraphWriter()
  const openTexts = () => {
    texts ??= openGraphProjector(doc, writeNode)
    return texts
  }
  return {
    read() {
      objects ??= openGraphProjector(doc, (node) => node)
      return objects.read()
    },
    readJson: () => writeGraph(openTexts().read()),
    prepareJson: () => openTexts().update(),
    close() {
      objects?.close()
      texts?.close()
    },
  }
}

/** The content of a live document, complete and valid (decision 21), for a single read. */
export function readLiveDocument(doc: Y.Doc): GraphContent {
  const projector = openLiveProjector(doc)
  try {
    return projector.read()
  } finally {
    projector.close()
  }
}
