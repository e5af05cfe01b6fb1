import Type, { type Static } from 'typebox'
import { DataTree } from '../data-tree.ts'
import { SolutionId, Timestamp } from '../ids.ts'
import { Completeness, NODE_STATES, SolutionMessage } from '../solutions.ts'
import { UNITS } from '../units.ts'
import { DocumentParams } from './app-documents.ts'
import { appEndpoint } from './app-endpoint.ts'
import { SolveState } from './app-folders.ts'
import { Bytes } from './bodies.ts'

/** The counts of the data of a port: enough to draw its wires. */
export const PortSummary = Type.Object({
  branches: Type.Integer(),
  /**
   * The number of values in all branches, nulls included. One branch of one value is an item, one branch of several
   * values a list, and several branches are a tree.
   */
  values: Type.Integer(),
  nulls: Type.Integer(),
})
export type PortSummary = Static<typeof PortSummary>

export const NodeSummary = Type.Object({
  /** The wall-clock time that this node took in the solve; left out where it was not measured. */
  durationMs: Type.Optional(Type.Number()),
  /** Absent for nodes without ports, and in solutions made before states were recorded. */
  state: Type.Optional(Type.Enum([...NODE_STATES])),
  /** The solver of the node if it is not Meadow: `rhino.compute`. */
  solver: Type.Optional(Type.String()),
  /** The outputs of the node, or the one port of a parameter, by port id. */
  ports: Type.Record(Type.String(), PortSummary),
})
export type NodeSummary = Static<typeof NodeSummary>

/** The most recent solution that exists, even while a newer one is being made or after a newer solve failed. */
export const EditorSolution = Type.Object({
  id: SolutionId,
  solvedAt: Timestamp,
  durationMs: Type.Integer(),
  /** What the solve cost the team, in tenths of a credit. Null for callers who are not a member. */
  creditTenths: Type.Union([Type.Integer(), Type.Null()]),
  completeness: Type.Union([Completeness, Type.Null()]),
  messages: Type.Array(SolutionMessage),
  /** `fingerprintOf` the content that it was computed from. Absent in solutions made before it was recorded. */
  fingerprint: Type.Optional(Type.String()),
  /** The nodes by their id. */
  nodes: Type.Record(Type.String(), NodeSummary),
  /** Whether there is anything to draw. */
  hasGeometry: Type.Boolean(),
  /** The unit of its lengths. */
  units: Type.Enum(UNITS),
})
export type EditorSolution = Static<typeof EditorSolution>

/** The state of the document's solve, and the counts of its last solution. */
export const readEditorSolution = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/solution',
  needs: 'visitor',
  params: DocumentParams,
  response: Type.Object({
    solve: SolveState,
    /** Why the most recent solve failed: a sentence. Null for callers who are not a member. */
    reason: Type.Union([Type.String(), Type.Null()]),
    solution: Type.Union([EditorSolution, Type.Null()]),
  }),
})

/** The maximum number of values in one response: each page counts through those before it, so small ones are slow. */
export const PORT_PAGE_VALUES = 10_000

const PortParams = Type.Object({
  documentId: Type.String(),
  solutionId: Type.String(),
  nodeInstanceId: Type.String(),
  portInstanceId: Type.String(),
})

/** A page of a port's values, in the order of branches. The response for a solution never changes. */
export const readPortData = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/solutions/:solutionId/nodes/:nodeInstanceId/ports/:portInstanceId',
  needs: 'visitor',
  params: PortParams,
  query: Type.Object({
    /** The number of the first value, counted through all branches from 0. 0 when left out. */
    from: Type.Optional(Type.Integer({ minimum: 0 })),
    /** The number of values; 100 when left out. */
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PORT_PAGE_VALUES })),
  }),
  response: Type.Object({
    ...PortSummary.properties,
    /** The branches that have values on this page, with those values only; empty branches between them too. */
    tree: DataTree,
    /** The number of the first value on this page in its own branch, which may have begun on an earlier one. */
    firstIndex: Type.Integer(),
    /** The `from` of the next page; null on the last. */
    next: Type.Union([Type.Integer(), Type.Null()]),
  }),
  errors: ['solution_not_found', 'port_not_found', 'solution_too_large'],
})

/**
 * The geometry of a solution, as triangles, lines and points. `scene.ts` defines the layout of the body; `readScene`
 * parses it. With `detail=sight`, a large scene is a compact one (`compact-scene.ts`), with the same values and rounded
 * positions. The response for a solution never changes.
 */
export const readEditorScene = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/solutions/:solutionId/scene',
  needs: 'visitor',
  params: Type.Object({ documentId: Type.String(), solutionId: Type.String() }),
  query: Type.Object({ detail: Type.Optional(Type.Enum(['sight'])) }),
  response: Bytes,
  errors: ['solution_not_found', 'geometry_not_readable'],
})
