import Type from 'typebox'
import { endpoint } from './endpoint.ts'
import { Timestamp } from './ids.ts'

export const SOLUTION_FORMATS = ['json', 'bimz'] as const
export type SolutionFormat = (typeof SOLUTION_FORMATS)[number]

const Message = Type.Object({
  nodeInstanceId: Type.String(),
  level: Type.Enum(['error', 'warning', 'remark']),
  message: Type.String(),
})

export const Solution = Type.Object(
  {
    data: Type.Unknown({
      description: '`{ solutionId, [nodeInstanceId]: { [portInstanceId]: DataTree } }`',
    }),
    includesGeometry: Type.Boolean(),
    solvedAt: Timestamp,
    durationMs: Type.Integer(),
    messages: Type.Array(Message),
  },
  { $id: 'Solution', description: 'What the solver made of the document.' },
)

export const readSolution = endpoint({
  name: 'readSolution',
  path: '/documents/:documentId/solution',
  summary: 'The most recent solution of a document.',
  description: 'Reading never starts a solve and never spends credits.',
  scope: 'solutions:read',
  params: Type.Object({ documentId: Type.String() }),
  query: Type.Object({
    includeGeometry: Type.Optional(
      Type.Enum(['true', 'false'], { description: '`true` asks for geometry; anything else does not.' }),
    ),
    format: Type.Optional(Type.Enum([...SOLUTION_FORMATS], { default: 'json' })),
  }),
  response: Type.Ref('Solution'),
  refuses: ['solution_format_not_accepted', 'document_not_found', 'never_solved'],
})
