import Type, { type Static } from 'typebox'
import type { DataTree } from './data-tree.ts'
import type { Author, DocumentFile } from './document-file.ts'
import { endpoint } from './endpoint.ts'
import { DocumentId, Timestamp } from './ids.ts'
import { PORT_FLAGS, PORT_OPTIONS, WIRE_DISPLAYS } from './terms.ts'

/** The id of a node in its document: unique there, not beyond it. */
export const NodeInstanceId = Type.String({ description: 'Unique in its document.' })
/** What was asked for by `nodes` and `fields`, and is not there (decision 46). */
export const PartsNotFound = Type.Object(
  {
    nodes: Type.Optional(
      Type.Array(Type.String(), { description: 'Ids, and names as they were asked for.' }),
    ),
    fields: Type.Optional(Type.Array(Type.String())),
  },
  { $id: 'PartsNotFound', description: 'What was asked for, and is not there.' },
)
export type PartsNotFound = Static<typeof PartsNotFound>

/** The query parameters that ask for parts of a document or a solution. */
export const PARTS_QUERY = {
  nodes: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Only these nodes: ids, or `name:` and what a node is called (`nickName` or `name`, exactly), separated by commas.',
      examples: [['name:Height']],
    }),
  ),
  fields: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Only these members, separated by commas. What identifies the answer is always there.',
      examples: [['name', 'updatedAt']],
    }),
  ),
}

/** The member of a part that says what is missing in it. */
export const NOT_FOUND = Type.Optional(Type.Ref('PartsNotFound'))

/** The id of a port: unique in its document, but that the one port of a parameter object carries its node's id. */
export const PortInstanceId = Type.String({ description: 'Unique in its document.' })

export const PortReference = Type.Object(
  { nodeInstanceId: NodeInstanceId, portInstanceId: PortInstanceId },
  { $id: 'PortReference', description: 'A port of a node.' },
)
export type PortReference = Static<typeof PortReference>

export const Port = Type.Object(
  {
    name: Type.String(),
    nickName: Type.String({ description: 'What the canvas shows.' }),
    typeName: Type.String({ description: 'The kind of parameter, for example `Number` or `Curve`.' }),
    access: Type.Enum(['item', 'list', 'tree']),
    flags: Type.Array(Type.Enum([...PORT_FLAGS])),
    expression: Type.Optional(Type.String({ description: 'Applied to each value, which it calls x.' })),
    options: Type.Optional(
      Type.Array(Type.Enum([...PORT_OPTIONS]), {
        description:
          'Further switches of the port. `hidden`: no preview; `locked`: disabled; both of this port alone (the node has its own in `status`).',
      }),
    ),
    wireDisplay: Type.Optional(
      Type.Enum([...WIRE_DISPLAYS], { description: 'How the wires into it are drawn; absent: as usual.' }),
    ),
  },
  { $id: 'Port', description: 'What a port is called and how it treats its data.' },
)
export type Port = Static<typeof Port>

const PortOrder = Type.Record(Type.String(), Type.Integer(), {
  description: 'Port id to order, from 0, no gaps.',
})

const STATE_DESCRIPTION = `The state of a special kind of node besides its values; \`kind\` says of which.
A script (\`kind: "script"\`), in a file of any age, has \`language\` (\`python2\`, which is IronPython, \`python3\`, \`csharp\`, \`vb\` or
\`unknown\`) and \`source\`; C# and VB before Rhino 8 also have \`imports\` and \`members\`. With \`takesSource\`, the source is what arrives at
its first input. A slider (\`kind: "slider"\`) has \`minimum\`, \`maximum\`, \`decimals\`, \`interval\` (\`real\`, \`integer\`, \`odd\`, \`even\`: how it
rounds) and \`snaps\`, the values that it snaps to, if there are any. A node that was placed from a user object or cluster file in
Meadow can have \`object\`: what the file holds, as a Grasshopper archive in base64.`.replaceAll('\n', ' ')

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
    display: Type.Optional(
      Type.Enum(['name', 'icon'], { description: 'How the node is drawn; absent: as its viewer prefers.' }),
    ),
    state: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: STATE_DESCRIPTION,
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

/** Why the content of a cluster is not in a document. */
export const CLUSTER_REASONS = ['protected', 'missing', 'too_large', 'unreadable'] as const
export type ClusterReason = (typeof CLUSTER_REASONS)[number]

const CLUSTER_FACTS = {
  description: Type.Optional(Type.String()),
  author: Type.Optional(Type.Ref('Author')),
}

/** The content of a cluster, as the imported file holds it. */
export type Cluster = { description?: string; author?: Author } & (
  | {
      /** The Cluster Input or Cluster Output in `nodes` that stands for a port of the cluster, by port id. */
      ports: Record<string, string>
      nodes: Record<string, Node>
      groups: Group[]
      /** The clusters in it, by node id. */
      clusters?: Record<string, Cluster>
    }
  | { reason: ClusterReason; message: string }
)

export const Cluster = Type.Unsafe<Cluster>({
  ...Type.Union([
    Type.Object({
      ...CLUSTER_FACTS,
      ports: Type.Record(Type.String(), NodeInstanceId, {
        description:
          'Port id of the cluster to the Cluster Input or Cluster Output in `nodes` that stands for it.',
      }),
      nodes: Type.Record(Type.String(), Type.Ref('Node'), { description: 'By instance id.' }),
      groups: Type.Array(Type.Ref('Group')),
      clusters: Type.Optional(
        Type.Record(Type.String(), Type.Ref('Cluster'), {
          description: 'The clusters in it, by instance id.',
        }),
      ),
    }),
    Type.Object({
      ...CLUSTER_FACTS,
      reason: Type.Enum([...CLUSTER_REASONS], { description: '`protected`: behind a password.' }),
      message: Type.String({ description: 'Why its content is not known: a sentence.' }),
    }),
  ]),
  $id: 'Cluster',
  description:
    'The content of a cluster: a graph of its own, whose ids are unique in it alone. Or the reason why it is not known.',
})

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
    file: Type.Optional(Type.Ref('DocumentFile')),
    clusters: Type.Optional(
      Type.Record(Type.String(), Type.Ref('Cluster'), {
        description:
          'The contents of clusters in the imported file, by the instance id of the node; a node that was deleted since keeps its entry. A solve uses them.',
      }),
    ),
    notFound: NOT_FOUND,
  },
  {
    $id: 'Document',
    description: 'The script itself, as the editors see it now, and what its file says beside it.',
  },
)
export type Document = Omit<
  Static<typeof Document>,
  'nodes' | 'groups' | 'configuration' | 'file' | 'clusters' | 'notFound'
> &
  GraphContent & {
    /** Absent: the document was made here. */
    file?: DocumentFile
    /** Absent: the file has no clusters, or was imported before clusters were read. */
    clusters?: Record<string, Cluster>
    /** Absent: all parts that were asked for are there. */
    notFound?: PartsNotFound
  }

export const readDocument = endpoint({
  name: 'readDocument',
  path: '/documents/:documentId',
  summary: 'The live document: nodes, wires, typed-in values, groups.',
  description:
    'With `nodes`, `document.nodes` has only those; with `fields`, the document has only those members and its `id`. ' +
    'What is not there is left out, and `notFound` names it.',
  scope: 'documents:read',
  params: Type.Object({ documentId: Type.String() }),
  query: Type.Object(PARTS_QUERY),
  response: Type.Object({ document: Document }),
  errors: ['document_not_found'],
})
