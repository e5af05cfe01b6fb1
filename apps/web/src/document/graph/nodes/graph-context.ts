import type { PortReference, SolutionMessage } from '@meadow/contract'
import type { EditorSolution } from '@meadow/contract/web'
import { createContext, useContext } from 'react'
import type { Doc } from 'yjs'
import type { Drafts } from '../../preview/drafts.ts'
import type { PreviewController } from '../../preview/preview-controller.ts'

export type NodeMessage = Omit<SolutionMessage, 'nodeInstanceId'>

/** The context of nodes, menus and dialogs. */
export interface GraphContextValue {
  documentId: string
  /** The id of the team; undefined for readers who are not its members. */
  teamId: string | undefined
  /** The live document; undefined for viewers. */
  doc: Doc | undefined
  /** The transaction origin of this window's edits, for undo. */
  origin: unknown
  /** The stored solution, or the preview in its place. */
  solution: EditorSolution | undefined
  /** Values that are being dragged. */
  drafts: Drafts
  /** The preview, where `solution` is one. */
  preview: PreviewController | undefined
  /** The messages of the solution by node. */
  messages: ReadonlyMap<string, readonly NodeMessage[]>
  /** The nodes with a port that is pinned to the player. */
  pinnedIds: ReadonlySet<string>
  /** Makes an edit, and shows the error when it is not possible. */
  edit: (change: (doc: Doc) => void) => void
  /** Opens the dialog of a node or a group. */
  openDialog: (id: string) => void
  /** Shows the content of a cluster. */
  openCluster: (nodeId: string) => void
  /** Selects and shows a node of the graph. */
  goTo: (nodeId: string) => void
  /** The address of a node. */
  addressOf: (nodeId: string) => string
  /** Whether the graph is the content of a cluster, whose values no solution has. */
  isInCluster: boolean
  /** Shows the values of an output as a table; undefined where none are known. */
  showValues: ((port: PortReference) => void) | undefined
  /** Whether components show icons in place of their names. */
  showsIcons: boolean
  /** Shows the data of a port; undefined hides it. */
  showPort: (port: PortReference | undefined, anchor?: DOMRect) => void
  /** Hides the data of a port at once: a card that stays would lie between a wire and its end. */
  closePort: () => void
}

export const GraphContext = createContext<GraphContextValue | undefined>(undefined)

export function useGraph(): GraphContextValue {
  const value = useContext(GraphContext)
  if (!value) throw new Error('useGraph needs a GraphContext.')
  return value
}
