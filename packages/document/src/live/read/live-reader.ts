import type { GraphContent, Node } from '@meadow/contract'
import type * as Y from 'yjs'
import type { LargeValue } from '../large-values/large-value.ts'
import { openGraphReader } from './graph-reader.ts'
import { createGraphWriter, writeNode } from './write-json.ts'

/** JSON text in pieces: where a large value stands, the text in its blob is to be put in as it is. */
export type LiveJson = readonly (string | LargeValue)[]

/** Reads a live document as often as asked, for no more than what was changed since. */
export interface LiveReader {
  /**
   * The document as it is now, whole and valid (decision 21). What did not change is the same object as the last
   * time. Its records have no prototype. A value that lies in the blob store is a `LargeTree` or a `LargeValue`.
   */
  read(): GraphContent
  /** The same as JSON text, letter for letter as `JSON.stringify` writes it. Pieces without a change are the same strings. */
  readJson(): LiveJson
  close(): void
}

/** Reads are made when they are asked for: an edit costs nothing but a note of what it changed. */
export function openLiveReader(doc: Y.Doc): LiveReader {
  let objects: ReturnType<typeof openGraphReader<Node>> | undefined
  let texts: ReturnType<typeof openGraphReader<LiveJson>> | undefined
  const writeGraph = createGraphWriter()
  return {
    read() {
      objects ??= openGraphReader(doc, (node) => node)
      return objects.read()
    },
    readJson() {
      texts ??= openGraphReader(doc, writeNode)
      return writeGraph(texts.read())
    },
    close() {
      objects?.close()
      texts?.close()
    },
  }
}
