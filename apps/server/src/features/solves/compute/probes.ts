import type { GraphContent, Node, Port, PortReference } from '@meadow/contract'

/*
 * The server returns the values of groups whose label contains RH_OUT, drops nulls and values of types that it does not
 * know, and says nothing about them. So a value is not read from its own node: a Data parameter behind each output puts
 * every value into a branch of its own, which the server returns even when it is empty, and components next to it say how
 * long the lists are, which values are null, and what the others are.
 */

/** The names under which the server returns what is asked about one output. */
export interface AskedPort {
  portId: string
  /** The values, each in a branch: item i of `{A}` in `{A;i}`. */
  values: string
  /** The number of values in each branch of the output. */
  length: string
  /** Whether each value is null, in the branches of the output. */
  isNull: string
  /** The values as texts, in the branches of `values`, for types that the server may drop. */
  text?: string
  /** The numbers that a value of this type consists of, in the branches of `values`. */
  parts?: { type: keyof typeof DECONSTRUCTORS; names: string[] }
}

/** Types whose values the server returns. */
const RETURNED_TYPES: ReadonlySet<string> = new Set([
  'Boolean',
  'Integer',
  'Number',
  'Text',
  'Point',
  'Vector',
  'Plane',
  'Line',
  'Circle',
  'Circular Arc',
  'Arc',
  'Rectangle',
  'Box',
  'Curve',
  'Surface',
  'Brep',
  'Mesh',
  'SubD',
])

const DATA = parameter('8ec86459-bf01-4409-baee-174d0d2b13d0', 'Data')
const TEXT = parameter('3ede854e-c753-40eb-84cb-b48008f14fd4', 'Text')
const BOOLEAN = parameter('cb95db89-6165-43b6-9c41-5702bc5bf137', 'Boolean')
const LIST_LENGTH = component('1817fd29-20ae-4503-b542-f0fb651e67d7', 'List Length', {
  input: { name: 'List', nickName: 'L', typeName: 'Data', access: 'list' },
  outputs: ['Length (L): Integer'],
})
const NULL_ITEM = component('c74efd0e-7fe3-4c2d-8c9d-295c5672fb13', 'Null Item', {
  // Grasshopper runs no component for a null on an input that is not optional.
  input: { name: 'Item', nickName: 'I', typeName: 'Data', access: 'item', options: ['optional'] },
  outputs: ['Null Flags (N): Boolean', 'Invalid Flags (X): Boolean', 'Description (D): Text'],
})

/** Components that take apart values of types that the server drops. */
const DECONSTRUCTORS = {
  Domain: component('825ea536-aebb-41e9-af32-8baeb2ecb590', 'Deconstruct Domain', {
    input: { name: 'Domain', nickName: 'I', typeName: 'Domain', access: 'item' },
    outputs: ['Start (S): Number', 'End (E): Number'],
  }),
  Colour: component('350f7d03-a48f-4121-bcee-328cfe1ed9ef', 'Split ARGB', {
    input: { name: 'Colour', nickName: 'C', typeName: 'Colour', access: 'item' },
    outputs: ['Alpha (A): Integer', 'Red (R): Integer', 'Green (G): Integer', 'Blue (B): Integer'],
  }),
} as const

/** What a probe needs to become a node. */
interface ProbeKind {
  templateId: string
  name: string
  /** Undefined for a parameter, which is its own port. */
  ports: { input: Omit<Port, 'flags'>; outputs: Omit<Port, 'flags'>[] } | undefined
}

function parameter(templateId: string, name: string): ProbeKind {
  return { templateId, name, ports: undefined }
}

function component(
  templateId: string,
  name: string,
  { input, outputs }: { input: Omit<Port, 'flags'>; outputs: string[] },
): ProbeKind {
  return { templateId, name, ports: { input, outputs: outputs.map(readPort) } }
}

/** Reads `Name (Nickname): Type`. */
function readPort(text: string): Omit<Port, 'flags'> {
  const [, name = '', nickName = '', typeName = ''] = /^(.+) \((.+)\): (.+)$/.exec(text) ?? []
  return { name, nickName, typeName, access: 'item' }
}

/** Adds probes to a graph, which is changed. */
export function createProbeWriter({ nodes, groups }: Pick<GraphContent, 'nodes' | 'groups'>) {
  const ids = createIds(nodes, groups)
  let groupCount = 0

  function addNode(kind: ProbeKind, source: PortReference, flags: Port['flags'] = []): Node {
    const node = createNode(kind, ids, source, flags)
    nodes[node.instanceId] = node
    return node
  }

  /** The name under which the server returns the only output of a node. */
  function addGroup({ instanceId }: Node): string {
    const label = `RH_OUT:meadow.${groupCount++}`
    groups.push({ id: ids(), label, colour: '#00000000', nodeInstanceIds: [instanceId], groupIds: [] })
    return label
  }

  return {
    /** Asks for the values of an output, or of a parameter. */
    addPort(source: PortReference, typeName: string): AskedPort {
      const data = addNode(DATA, source, ['graft'])
      const nullItem = addNode(NULL_ITEM, source)
      const asked = {
        portId: source.portInstanceId,
        values: addGroup(data),
        length: addGroup(addNode(LIST_LENGTH, source)),
        isNull: addGroup(addNode(BOOLEAN, outputOf(nullItem))),
      }
      if (RETURNED_TYPES.has(typeName)) return asked
      const each = outputOf(data)
      const described = { ...asked, text: addGroup(addNode(TEXT, each)) }
      if (!isDeconstructed(typeName)) return described
      const parts = addNode(DECONSTRUCTORS[typeName], each)
      const label = addGroup(parts)
      const names = Object.keys(parts.outputs).map((id) => `${label} (${parts.ports[id]!.nickName})`)
      return { ...described, parts: { type: typeName, names } }
    },
    /** Whether an id is that of a probe. */
    isProbe: (id: string) => id.startsWith(ID_PREFIX),
  }
}

const isDeconstructed = (typeName: string): typeName is keyof typeof DECONSTRUCTORS =>
  Object.hasOwn(DECONSTRUCTORS, typeName)

/** `Meadow` in hexadecimal, so that the same document gives the same file. */
const ID_PREFIX = '4d656164-6f77-4000-8000-'

/** Ids that no node, port or group has. */
function createIds(nodes: GraphContent['nodes'], groups: GraphContent['groups']): () => string {
  const ports = Object.values(nodes).flatMap((node) => Object.keys(node.ports))
  const used = new Set([...Object.keys(nodes), ...ports, ...groups.map(({ id }) => id)])
  let count = 0
  return () => {
    for (;;) {
      const id = `${ID_PREFIX}${(count++).toString(16).padStart(12, '0')}`
      if (!used.has(id)) return id
    }
  }
}

function createNode(
  kind: ProbeKind,
  createId: () => string,
  source: PortReference,
  flags: Port['flags'],
): Node {
  const instanceId = createId()
  const basics = {
    instanceId,
    templateId: kind.templateId,
    name: kind.name,
    nickName: kind.name,
    position: { x: 0, y: 0 },
    status: { isEnabled: true, isPreviewed: false },
    values: {},
  }
  if (!kind.ports) {
    const port: Port = { name: kind.name, nickName: kind.name, typeName: kind.name, access: 'item', flags }
    return {
      ...basics,
      inputs: { [instanceId]: 0 },
      outputs: { [instanceId]: 0 },
      sources: { [instanceId]: [source] },
      ports: { [instanceId]: port },
    }
  }
  const input = createId()
  const outputs = kind.ports.outputs.map((port) => [createId(), { ...port, flags: [] }] as const)
  return {
    ...basics,
    inputs: { [input]: 0 },
    outputs: Object.fromEntries(outputs.map(([id], index) => [id, index])),
    sources: { [input]: [source] },
    ports: Object.fromEntries([[input, { ...kind.ports.input, flags }], ...outputs]),
  }
}

/** The first output of a probe. */
function outputOf({ instanceId, outputs }: Node): PortReference {
  return { nodeInstanceId: instanceId, portInstanceId: Object.keys(outputs)[0]! }
}
