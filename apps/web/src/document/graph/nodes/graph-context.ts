import type { PortReference } from '@meadow/contract'
import type { EditorSolution } from '@meadow/contract/web'
import { createContext, useContext } from 'react'
import type { Doc } from 'yjs'

export interface NodeMessage {
  level: 'error' | 'warning' | 'remark'
  message: string
}

/** What the nodes of the canvas need to know beside themselves. */
export interface GraphContextValue {
  documentId: string
  /** The live document; undefined where one may only look. */
  doc: Doc | undefined
  /** Marks the edits of this person, for undo. */
  origin: unknown
  solution: EditorSolution | undefined
  messages: ReadonlyMap<string, readonly NodeMessage[]>
  /** Makes an edit, and tells the person in a sentence when it is not possible. */
  edit: (change: (doc: Doc) => void) => void
  /** Opens the dialog of a node or a group, where it has one. */
  openDialog: (id: string) => void
  showPort: (port: PortReference | undefined, anchor?: DOMRect) => void
}

export const GraphContext = createContext<GraphContextValue | undefined>(undefined)

export function useGraph(): GraphContextValue {
  const value = useContext(GraphContext)
  if (!value) throw new Error('This needs a canvas around it.')
  return value
}
