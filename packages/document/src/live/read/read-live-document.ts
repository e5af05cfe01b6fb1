import type { GraphContent } from '@meadow/contract'
import type * as Y from 'yjs'
import { openLiveReader } from './live-reader.ts'

/** A live document as it is now, whole and valid (decision 21), for those who read it once. */
export function readLiveDocument(doc: Y.Doc): GraphContent {
  const reader = openLiveReader(doc)
  try {
    return reader.read()
  } finally {
    reader.close()
  }
}
