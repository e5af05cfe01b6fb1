import assert from 'node:assert/strict'
import type { GraphContent } from '@meadow/contract'
import * as Y from 'yjs'
import { repairGraph } from '../../repair/repair-graph.ts'
import { assertValid } from '../../testing/assert-valid.ts'
import { openLiveProjector, readLiveDocument } from '../projection/live-projector.ts'
import { assertSchema } from './assert-schema.ts'

/** The JSON text of a document without references, from a new projector. */
export function readText(doc: Y.Doc): string {
  const reader = openLiveProjector(doc)
  const text = reader.readJson().join('')
  reader.close()
  return text
}

/** Reads a document in every possible way, and checks that the results are equal and valid. */
export function readWhole(doc: Y.Doc): GraphContent {
  const content = readLiveDocument(doc)
  const text = JSON.stringify(content)
  assert.equal(readText(doc), text, 'objects and text')
  assertValid(content)
  assertSchema(content)
  assert.deepEqual(repairGraph(content), { content, repairs: [] }, 'nothing left to repair')
  assert.equal(readText(reload(doc)), text, 'loaded from the stored state')
  return content
}

/** The document after it was stored and loaded. */
export function reload(doc: Y.Doc): Y.Doc {
  const loaded = new Y.Doc()
  Y.applyUpdate(loaded, Y.encodeStateAsUpdate(doc))
  return loaded
}

/** Whether Yjs waits for missing structs. */
export function hasPending(doc: Y.Doc): boolean {
  return doc.store.pendingStructs !== null || doc.store.pendingDs !== null
}
