import Type, { type Static } from 'typebox'
import type { DataTree } from './data-tree.ts'
import { endpoint } from './endpoint.ts'
import { DocumentId, Timestamp } from './ids.ts'

/** The id of a node in its document: unique there, not beyond it. */
export const NodeInstanceId = Type.String({ description: 'Unique in its document.' })
/** The id of a port: unique in its document, but that the one port of a parameter object carries its node's id. */
export const PortInstanceId = Type.String({ description: 'Unique in its document.' })

export const PortReference = Type.Object(
  { nodeInstanceId: NodeInstanceId, portInstanceId: PortInstanceId },
  { $id: 'PortReference', description: 'A port of a node.' },
)
export type PortReference = Static<typeof PortReference>

export const PORT_FLAGS = ['graft', 'flatten', 'simplify', 'reverse'] as const
export type PortFlag = (typeof PORT_FLAGS)[number]

export const Port = Type.Object(
  {
    name: Type.String(),
    nickName: Type.String({ description: 'What the canvas shows.' }),
    typeName: Type.String({ description: 'The kind of parameter, for example `Number` or `Curve`.' }),
    access: Type.Enum(['item', 'list', 'tree']),
    flags: Type.Array(Type.Enum([...PORT_FLAGS])),
    expression: Type.Optional(Type.String({ description: 'Applied to each value, which it calls x.' })),
    options: Type.Optional(
      Type.Array(Type.Enum(['optional', 'principal', 'reparameterize', 'degrees', 'invert']), {
        description: 'Further switches of the port.',
      }),
    ),
  },
  { $id: 'Port', description: 'What a port is called and how it treats its data.' },
)
export type Port = Static<typeof Port>

const PortOrder = Type.Record(Type.String(), Type.Integer(), {
  description: 'Port id to order, from 0, no gaps.',
})

export const Node = Type.Object(
  {
    instanceId: NodeInstanceId,
    templateId: Type.String({ format: 'uuid', description: "The component's GUID." }),
    name: Type.String(),
    nickName: Type.String(),
    position: Type.Object({ x: Type.Number(), y: Type.Number() }),
    status: Type.Object({ isEnabled: Type.Boolean(), isPreviewed: Type.Boolean() }),
    inputs: PortOrder,
    outputs: PortOrder,
    sources: Type.Record(Type.String(), Type.Array(Type.Ref('PortReference')), {
      description: 'Input port id to what feeds it, in wire order. A port without wires has no key.',
    }),
    values: Type.Unsafe<Record<string, DataTree>>(
      Type.Record(Type.String(), Type.Ref('DataTree'), {
        description: 'Port id to the values that were typed in by hand.',
      }),
    ),
    ports: Type.Unsafe<Record<string, Port>>(Type.Record(Type.String(), Type.Ref('Port'))),
    state: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'The state of a special kind of node besides its values: the range of a slider, the source of a script.',
      }),
    ),
  },
  { $id: 'Node', description: 'A component or parameter on the canvas.' },
)
export type Node = Omit<Static<typeof Node>, 'sources'> & { sources: Record<string, PortReference[]> }

export const Group = Type.Object(
  {
    id: Type.String(),
    label: Type.String(),
    colour: Type.String({ pattern: '^#[0-9a-f]{8}$', description: '`#rrggbbaa`' }),
    nodeInstanceIds: Type.Array(NodeInstanceId),
    groupIds: Type.Array(Type.String(), { description: 'The groups inside this one.' }),
  },
  { $id: 'Group', description: 'A coloured box around nodes.' },
)
export type Group = Static<typeof Group>

/** The graph of a document: everything except the properties of the file (id, name, times). */
export interface GraphContent {
  nodes: Record<string, Node>
  groups: Group[]
  /** The ports pinned in the editor. */
  configuration: { inputs: PortReference[]; outputs: PortReference[] }
}

export const Document = Type.Object(
  {
    id: DocumentId,
    name: Type.String(),
    version: Type.Literal(1, { description: 'The number to branch on if the shape changes.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    nodes: Type.Record(Type.String(), Type.Ref('Node'), { description: 'By instance id.' }),
    groups: Type.Array(Type.Ref('Group')),
    configuration: Type.Object(
      { inputs: Type.Array(Type.Ref('PortReference')), outputs: Type.Array(Type.Ref('PortReference')) },
      { description: 'The ports pinned in the editor.' },
    ),
  },
  { $id: 'Document', description: 'The script itself, as the editors see it now.' },
)
export type Document = Omit<Static<typeof Document>, 'nodes' | 'groups' | 'configuration'> & GraphContent

export const readDocument = endpoint({
  name: 'readDocument',
  path: '/documents/:documentId',
  summary: 'The live document: nodes, wires, typed-in values, groups.',
  scope: 'documents:read',
  params: Type.Object({ documentId: Type.String() }),
  query: Type.Object({}),
  response: Type.Object({ document: Document }),
  errors: ['document_not_found'],
})
