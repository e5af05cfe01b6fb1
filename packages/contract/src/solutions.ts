import Type, { type Static } from 'typebox'
import { type DataTree, type DataValue, EncodedGeometry } from './data-tree.ts'
import { NOT_FOUND, NodeInstanceId, PARTS_QUERY, type PartsNotFound, PortInstanceId } from './document.ts'
import { endpoint } from './endpoint.ts'
import { DocumentId, SolutionId, Timestamp } from './ids.ts'

export const SOLUTION_FORMATS = ['json', 'bimz'] as const
export type SolutionFormat = (typeof SOLUTION_FORMATS)[number]

/** Decision 33. */
export const MESSAGE_CODES = [
  'unsupported',
  'failed',
  'limit',
  'unknown',
  'empty',
  'approximate',
  'note',
] as const
export type MessageCode = (typeof MESSAGE_CODES)[number]

export const SolutionMessage = Type.Object(
  {
    nodeInstanceId: NodeInstanceId,
    level: Type.Enum(['error', 'warning', 'remark']),
    code: Type.Optional(
      Type.Enum([...MESSAGE_CODES], {
        description:
          '`unsupported`: Meadow does not solve this component. `limit`: it does, but not with these inputs. ' +
          '`unknown`: an input depends on such a component. `failed`: an error that Grasshopper reports too. `empty`: ' +
          'no data came in or out. `approximate`: the form of a value differs from that in Rhino. `note`: anything ' +
          'else. Absent in solutions made before codes.',
      }),
    ),
    message: Type.String(),
    causeNodeInstanceId: Type.Optional(
      Type.String({ description: 'With code `unknown`: the node that could not be solved.' }),
    ),
  },
  { $id: 'SolutionMessage', description: 'A message of a node from its solve.' },
)
export type SolutionMessage = Static<typeof SolutionMessage>

/** The state of a node in a solution. `empty`: solved, without values. */
export const NODE_STATES = ['solved', 'empty', 'failed', 'unsupported', 'unknown', 'disabled'] as const
export type NodeState = (typeof NODE_STATES)[number]

/** Decisions 34 and 47. */
export const Completeness = Type.Object(
  {
    isComplete: Type.Boolean({ description: 'Nothing is unsupported or unknown, and nothing met a limit.' }),
    valuesComplete: Type.Optional(
      Type.Boolean({
        description:
          'No node with outputs is unsupported or unknown: no value of the document is missing, though previews or ' +
          'labels may be. Absent in solutions made before it was counted.',
      }),
    ),
    nodes: Type.Integer({
      description: 'Enabled nodes with ports: the sum of `solved`, `failed`, `unsupported` and `unknown`.',
    }),
    solved: Type.Integer(),
    failed: Type.Integer({ description: 'With an error that Grasshopper reports too.' }),
    unsupported: Type.Integer({ description: 'Not solved by Meadow: unsupported, or at a limit.' }),
    unknown: Type.Integer({ description: 'Dependent on an unsupported node. Their ports have no branches.' }),
    unsupportedWithoutOutputs: Type.Optional(
      Type.Integer({
        description:
          'How many of `unsupported` have no outputs, such as previews and labels, and keep no value from anybody. ' +
          'Absent in solutions made before it was counted.',
      }),
    ),
  },
  { $id: 'Completeness', description: 'How much of a document its solution covers.' },
)
export type Completeness = Static<typeof Completeness>

/** The trees of a solve: by node id, then by port id. The solution also has its own id. */
export type SolutionData = { solutionId: SolutionId } & Record<string, Record<string, DataTree>>

const SolutionData = Type.Unsafe<SolutionData>({
  type: 'object',
  required: ['solutionId'],
  properties: { solutionId: SolutionId },
  additionalProperties: Type.Record(Type.String(), Type.Ref('DataTree'), {
    description: 'The trees of a node, by port id.',
  }),
  description: 'By node id what its ports hold.',
})

/** Decision 35. */
const SolverIdentity = Type.Object(
  { name: Type.String({ examples: ['meadow'] }), version: Type.String() },
  { description: 'The solver that made the solution.' },
)
export type SolverIdentity = Static<typeof SolverIdentity>

const OtherSolvers = Type.Record(Type.String(), Type.String(), {
  description: 'By node id: the solver of a node that `solver` could not solve, such as `rhino.compute`.',
})

export const Solution = Type.Object(
  {
    data: SolutionData,
    includesGeometry: Type.Boolean({
      description: 'Whether geometric values carry `geometry`: it was asked for, and could be read.',
    }),
    solvedAt: Timestamp,
    durationMs: Type.Integer(),
    completeness: Type.Optional(Type.Ref('Completeness')),
    solver: Type.Optional(SolverIdentity),
    solvers: Type.Optional(OtherSolvers),
    messages: Type.Array(Type.Ref('SolutionMessage')),
    notFound: NOT_FOUND,
  },
  { $id: 'Solution', description: 'What the solver made of the document.' },
)
/** Decision 24. */
export interface Solution {
  data: SolutionData
  includesGeometry: boolean
  solvedAt: Timestamp
  durationMs: number
  /** Absent in solutions that were made before these were recorded. */
  completeness?: Completeness
  solver?: SolverIdentity
  solvers?: Record<string, string>
  messages: SolutionMessage[]
  /** Absent: all parts that were asked for are there. */
  notFound?: PartsNotFound
}

/** A line of a solution as `application/x-ndjson`, except for the last one. */
export const PortLine = Type.Object(
  {
    nodeInstanceId: NodeInstanceId,
    portInstanceId: PortInstanceId,
    branches: Type.Unsafe<DataTree['branches']>(Type.Array(Type.Ref('DataBranch'))),
  },
  { $id: 'PortLine', description: 'A line of a solution in lines: a port, and the data tree that it holds.' },
)
export type PortLine = Static<typeof PortLine>

/** One value in one branch of one port (decision 26). */
export const BimObject = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Of the value: the same from solve to solve.' }),
    name: Type.String({ description: 'Its port and its position there, as in the model file.' }),
    type: Type.String({ description: 'As in `DataValue`.' }),
    value: Type.Unknown({ description: 'As in `DataValue`.' }),
    geometry: Type.Union([EncodedGeometry, Type.Null()], { description: 'Null where none could be read.' }),
    nodeInstanceId: NodeInstanceId,
    portInstanceId: PortInstanceId,
    path: Type.String({ examples: ['{0;1}'], description: 'Of the branch.' }),
    index: Type.Integer({ description: 'In the branch, from 0.' }),
    referenceId: Type.Optional(Type.String({ format: 'uuid', description: 'An object in a Rhino model.' })),
  },
  { $id: 'BimObject', description: 'A value, its geometry, and what it was computed for.' },
)
export interface BimObject {
  id: string
  name: string
  type: DataValue['type']
  value: DataValue['value']
  geometry: EncodedGeometry | null
  nodeInstanceId: string
  portInstanceId: string
  path: string
  index: number
  referenceId?: string
}

export const BimDocument = Type.Object(
  {
    format: Type.Literal('bimz'),
    version: Type.Literal(1),
    documentId: DocumentId,
    solutionId: SolutionId,
    units: Type.String({
      description:
        'Of lengths: that of the models that the definition refers to, otherwise that of the team; `none` if the team has none.',
    }),
    completeness: Type.Optional(Type.Ref('Completeness')),
    solver: Type.Optional(SolverIdentity),
    solvers: Type.Optional(OtherSolvers),
    objects: Type.Unsafe<Record<string, BimObject>>(
      Type.Record(Type.String(), Type.Ref('BimObject'), { description: 'By platform id.' }),
    ),
    notFound: NOT_FOUND,
  },
  { $id: 'BimDocument', description: 'The same solution as a flat store of objects (`format=bimz`).' },
)
export type BimDocument = Omit<Static<typeof BimDocument>, 'notFound'> & { notFound?: PartsNotFound }

export const readSolution = endpoint({
  name: 'readSolution',
  path: '/documents/:documentId/solution',
  summary: 'The most recent solution of a document.',
  description:
    'Reading never starts a solve and never spends credits. While a solve runs the answer is 202, and 502 when the ' +
    'most recent one failed, even if there is an older solution. With `nodes` there are only their values, messages and ' +
    '(`format=bimz`) objects; with `fields` only those members and what identifies the solution. What is not there is ' +
    'left out, and `notFound` names it. With `Accept: application/x-ndjson` and without `format=bimz` the solution comes ' +
    'in lines: a `PortLine` for each port, and at the end the solution itself, whose `data` has nothing but its id.',
  scope: 'solutions:read',
  params: Type.Object({ documentId: Type.String() }),
  query: Type.Object({
    includeGeometry: Type.Optional(
      Type.Enum(['true', 'false'], {
        description:
          '`true` asks for geometry; anything else does not. Not applicable with `format=bimz`, which always tries.',
      }),
    ),
    format: Type.Optional(Type.Enum([...SOLUTION_FORMATS], { default: 'json' })),
    ...PARTS_QUERY,
  }),
  headers: Type.Object({
    Prefer: Type.Optional(
      Type.String({
        examples: ['wait=30'],
        description: '`wait=N`: hold a 202 back until the solve ends, for N seconds (30 at most). RFC 7240.',
      }),
    ),
  }),
  response: Type.Union([Type.Ref('Solution'), Type.Ref('BimDocument')]),
  variants: { parameter: 'format', schemas: { json: 'Solution', bimz: 'BimDocument' } },
  errors: [
    'solution_format_not_accepted',
    'document_not_found',
    'never_solved',
    'solve_running',
    'solve_failed',
  ],
})
