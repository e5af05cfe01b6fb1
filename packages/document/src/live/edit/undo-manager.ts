import * as Y from 'yjs'
import { getRoots } from '../schema/layout.ts'

/**
 * Undoes and redoes the edits of one origin, never those of others. Use one for each user.
 * Each operation is one step.
 */
export function createUndoManager(doc: Y.Doc, origin: unknown): Y.UndoManager {
  const { nodes, groups, pins } = getRoots(doc)
  return new Y.UndoManager([nodes, groups, pins], {
    trackedOrigins: new Set([origin]),
    captureTimeout: 0,
  })
}
