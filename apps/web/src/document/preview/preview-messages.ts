import type { Completeness, GraphContent, Node, PortReference, SolutionMessage } from '@meadow/contract'
import type { AppResponse, NodeSummary, readPortData } from '@meadow/contract/web'

/** The values of a port, as the server sends them for a stored solution. */
export type PortPage = AppResponse<typeof readPortData>

/** The nodes of a document that are other objects than in the message before. */
export interface ContentChange {
  /** Whether these are all nodes, so that the worker drops those that it has. */
  isWhole: boolean
  nodes: readonly Node[]
  removedIds: readonly string[]
}

/** A message from the page to the worker. */
export type PreviewRequest =
  | {
      type: 'solve'
      id: number
      change: ContentChange
      /** Nodes whose geometry is drawn although their preview is off. */
      selectedIds: readonly string[]
      style: DrawStyle
      /** The limits of the solve; by default those of the editor. */
      limits: PreviewLimits | undefined
    }
  | { type: 'readPort'; id: number; port: PortReference; from: number; limit: number }

/**
 * How geometry is drawn: `rough` keeps up with a hand, `plain` is without isocurves, `usual` has everything that a
 * 3D view can show.
 */
export type DrawStyle = 'rough' | 'plain' | 'usual'

/** The limits at which a solve is given up. */
export interface PreviewLimits {
  deadlineMs: number
  maxBytes: number
  maxVertices: number
}

/** Why a document has no preview, apart from cycles: the server has to solve it. */
export type Obstacle =
  /**
   * The document has what only the server can solve: clusters, large values, objects of Rhino models, nodes that
   * another solver solves.
   */
  | 'content'
  /** The solve takes too long, or too much memory. */
  | 'size'
  /** The worker has ended, or cannot be loaded. */
  | 'crash'

/** What a solve in the browser computed, for display only. */
export interface Preview {
  summary: PreviewSummary
  /** The data of panels with wires, by node id. */
  panels: ReadonlyMap<string, PortPage>
  /** The bytes of the scene. */
  scene: ArrayBuffer
}

export interface PreviewSummary {
  messages: SolutionMessage[]
  nodes: Record<string, NodeSummary>
  completeness: Completeness
}

/** A message from the worker to the page. */
export type PreviewReply =
  | {
      type: 'solved'
      id: number
      /** The summary; undefined if it is the same as in the reply before. */
      summary: PreviewSummary | undefined
      panels: ReadonlyMap<string, PortPage>
      scene: ArrayBuffer
    }
  | { type: 'unsolved'; id: number; obstacle: Obstacle | 'cyclic' }
  | { type: 'port'; id: number; page: PortPage | undefined }

/** Lists what has changed since the content of the last message, by the identity of node objects. */
export function listChanges(
  before: GraphContent['nodes'] | undefined,
  after: GraphContent['nodes'],
): ContentChange {
  if (!before) return { isWhole: true, nodes: Object.values(after), removedIds: [] }
  return {
    isWhole: false,
    nodes: Object.values(after).filter((node) => before[node.instanceId] !== node),
    removedIds: Object.keys(before).filter((id) => after[id] === undefined),
  }
}
