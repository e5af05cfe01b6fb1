import * as Y from 'yjs'
import { getRoots } from '../layout.ts'

/**
 * Takes back and does again what was edited with an origin, and nothing of what others edit: one for each person.
 * Each operation is one step.
 */
export function createUndoManager(doc: Y.Doc, origin: unknown): Y.UndoManager {
  const { nodes, groups, pins } = getRoots(doc)
  return new Y.UndoManager([nodes, groups, pins], {
    trackedOrigins: new Set([origin]),
    captureTimeout: 0,
  })
}
