import {
  createRecord,
  type DataValue,
  findCycle,
  findParameterType,
  findScript,
  type GraphContent,
  listComponents,
  listPanelLines,
  listParameterTypes,
  type Node,
  type Port,
  type PortReference,
  repairGraph,
} from '@meadow/document'
import fc, { type GeneratorValue } from 'fast-check'
import { CLASS } from '../definition/model/class-ids.ts'
import { arbitraryTree, VALUES } from './arbitrary-values.ts'
import { buildId } from './build-archive.ts'
import { buildNode } from './build-node.ts'

/** A document while it is edited. */
interface Editing {
  content: GraphContent
  /** The number of the next id. */
  next: number
  g: GeneratorValue
}

/**
 * Edits a document as in the editor, in ways that a file can represent: moves, names, wires, values,
 * nodes, groups, flags, pins. The result is valid and has no cycle.
 */
export function editAtRandom(
  start: GraphContent,
  g: GeneratorValue,
  maxEdits = 12,
  firstId = 900_000,
): GraphContent {
  const editing: Editing = { content: structuredClone(start), next: firstId, g }
  const count = g(fc.integer, { min: 1, max: maxEdits })
  for (let i = 0; i < count; i++) edit(editing, g(fc.constantFrom, ...EDIT_KINDS) as EditKind)
  return editing.content
}

/** Makes one edit of a kind, which may change nothing. */
export function editOnce(start: GraphContent, g: GeneratorValue, kind: EditKind): GraphContent {
  const editing: Editing = { content: structuredClone(start), next: 900_000, g }
  edit(editing, kind)
  return editing.content
}

function edit(editing: Editing, kind: EditKind): void {
  const change: Edit = EDITS[kind]
  change(editing, pick(editing, Object.values(editing.content.nodes)))
  editing.content = repairGraph(editing.content).content
}

function pick<T>({ g }: Editing, from: readonly T[]): T | undefined {
  return from.length === 0 ? undefined : from[g(fc.nat, { max: from.length - 1 })]
}

const word = (g: GeneratorValue) =>
  g(fc.string, { unit: fc.constantFrom('a', 'B', 'ü', '🦗', ' ', '1'), maxLength: 12 })
const single = (g: GeneratorValue) => g(fc.integer, { min: -200_000, max: 200_000 }) / 8

type Edit = (editing: Editing, node?: Node) => void

const EDITS = {
  move({ g }: Editing, node?: Node) {
    if (node) node.position = { x: single(g), y: single(g) }
  },
  rename({ g }: Editing, node?: Node) {
    if (!node) return
    node.nickName = word(g)
    const own = node.ports[node.instanceId]
    if (own) own.nickName = node.nickName
  },
  toggleStatus({ g }: Editing, node?: Node) {
    if (node) node.status = { isEnabled: g(fc.boolean), isPreviewed: g(fc.boolean) }
  },
  rewire(editing: Editing, node?: Node) {
    const input = node && pick(editing, Object.keys(node.inputs))
    if (!node || input === undefined) return
    const outputs = Object.values(editing.content.nodes).flatMap(({ instanceId, outputs }) =>
      Object.keys(outputs).map((portInstanceId) => ({ nodeInstanceId: instanceId, portInstanceId })),
    )
    const wires = new Map<string, PortReference>()
    for (let i = editing.g(fc.nat, { max: 3 }); i > 0; i--) {
      const wire = pick(editing, outputs)
      if (wire) wires.set(wire.portInstanceId, wire)
    }
    const before = node.sources
    node.sources = createRecord([
      ...Object.entries(before).filter(([id]) => id !== input),
      [input, [...wires.values()]],
    ])
    if (wires.size === 0) delete node.sources[input]
    if (findCycle(editing.content)) node.sources = before
  },
  setLiteral(editing: Editing, node?: Node) {
    const id = node && pick(editing, listTypedPorts(node))
    if (!node || id === undefined) return
    const tree = editing.g(arbitraryTree, (node.ports[id] as Port).typeName)
    delete node.values[id]
    if (tree.branches.some(({ values }) => values.length > 0)) node.values[id] = tree
  },
  flag(editing: Editing, node?: Node) {
    const port = node?.ports[pick(editing, Object.keys(node.ports)) ?? '']
    if (!port) return
    const { g } = editing
    const mapping = g(fc.constantFrom, [], ['graft'], ['flatten']) as Port['flags']
    port.flags = [...mapping, ...(g(fc.subarray, ['simplify', 'reverse']) as Port['flags'])]
    const options = g(fc.subarray, ['optional', 'reparameterize', 'degrees', 'invert']) as Port['options']
    port.access = g(fc.constantFrom, 'item', 'list', 'tree') as Port['access']
    delete port.options
    delete port.expression
    if (options && options.length > 0) port.options = options
    if (g(fc.boolean)) port.expression = g(fc.constantFrom, 'x*2', '-x', 'sin(x) + 1')
  },
  add(editing: Editing) {
    const { content, g } = editing
    const templateId = g(fc.constantFrom, ...KINDS)
    const node = buildNode(templateId, editing.next, {
      position: { x: single(g), y: single(g) },
      nickName: word(g),
      ...initialState(templateId),
    })
    content.nodes[node.instanceId] = node
    editing.next += 100
  },
  paste(editing: Editing, node?: Node) {
    if (!node) return
    const ids = new Map(
      [node.instanceId, ...Object.keys(node.ports)].map((id) => [id, buildId(editing.next++)]),
    )
    const rename = <T>(record: Record<string, T>) =>
      createRecord(Object.entries(record).map(([id, value]) => [ids.get(id) ?? id, value] as const))
    const copy = { ...structuredClone(node), instanceId: ids.get(node.instanceId) ?? '' }
    for (const key of ['inputs', 'outputs', 'sources', 'values', 'ports'] as const) {
      Object.assign(copy, { [key]: rename<unknown>(copy[key]) })
    }
    editing.content.nodes[copy.instanceId] = {
      ...copy,
      position: { x: single(editing.g), y: single(editing.g) },
    }
  },
  remove({ content }: Editing, node?: Node) {
    if (node) delete content.nodes[node.instanceId]
  },
  group(editing: Editing) {
    const { content, g } = editing
    const members = g(fc.subarray, Object.keys(content.nodes).slice(0, 40))
    const properties = { label: word(g), colour: g(fc.constantFrom, '#aa87ff96', '#00000000', '#12345678') }
    const known = pick(editing, content.groups)
    if (known && g(fc.boolean)) Object.assign(known, properties, { nodeInstanceIds: members })
    else
      content.groups.push({
        id: buildId(editing.next++),
        ...properties,
        nodeInstanceIds: members,
        groupIds: [],
      })
  },
  ungroup(editing: Editing) {
    const { content } = editing
    const removed = pick(editing, content.groups)
    content.groups = content.groups.filter((group) => group !== removed)
  },
  pin(editing: Editing, node?: Node) {
    const { configuration } = editing.content
    const port = node && pick(editing, Object.keys(node.ports))
    const side = editing.g(fc.constantFrom, 'inputs', 'outputs') as keyof typeof configuration
    if (node && port !== undefined)
      configuration[side].unshift({ nodeInstanceId: node.instanceId, portInstanceId: port })
    else configuration[side].pop()
  },
  unpin({ content }: Editing) {
    content.configuration.inputs.shift()
    content.configuration.outputs.pop()
  },
  choose(editing: Editing, node?: Node) {
    if (node) choose(editing, node)
  },
  addPort(editing: Editing, node?: Node) {
    if (!node || !VARIABLE.includes(node.templateId)) return
    const id = buildId(editing.next++)
    node.inputs = { ...node.inputs, [id]: Object.keys(node.inputs).length }
    node.ports[id] = {
      name: word(editing.g),
      nickName: word(editing.g),
      typeName: 'Data',
      access: 'tree',
      flags: [],
    }
  },
  removePort(editing: Editing, node?: Node) {
    if (!node || !VARIABLE.includes(node.templateId)) return
    const id = pick(editing, Object.keys(node.inputs))
    if (id !== undefined) delete node.inputs[id]
  },
} satisfies Record<string, Edit>

export type EditKind = keyof typeof EDITS
export const EDIT_KINDS = Object.keys(EDITS) as EditKind[]

const MERGE = '3cadddef-1e2b-4c09-9390-0e8f78f7609f'
const VARIABLE = [MERGE]
const TYPES = listParameterTypes().filter(({ name }) => VALUES[name])
/** Of the others, files keep more than documents show. */
const COMPONENTS = listComponents().filter(({ portStorage }) => portStorage !== 'unknown')
const KINDS = [
  ...COMPONENTS.map(({ guid }) => guid),
  ...TYPES.map(({ guid }) => guid),
  ...[CLASS.numberSlider, CLASS.panel, CLASS.booleanToggle, CLASS.colourSwatch, CLASS.relay],
]

const size = { width: 160, height: 20 }

/** The state and values of a new node of a class with state. */
function initialState(templateId: string): Parameters<typeof buildNode>[2] {
  switch (templateId) {
    case CLASS.numberSlider:
      return {
        state: { kind: 'slider', minimum: -1, maximum: 5, decimals: 2, interval: 'real', size },
        values: [{ type: 'number', value: 0.25 }],
      }
    case CLASS.panel:
      return {
        state: {
          ...{
            kind: 'panel',
            text: '',
            isMultiline: false,
            colour: '#ffffffff',
            alignment: 'centre',
            wraps: true,
          },
          ...{ drawsIndices: true, drawsPaths: false, size },
        } as const,
      }
    case CLASS.booleanToggle:
      return { values: [{ type: 'boolean', value: true }] }
    case CLASS.colourSwatch:
      return { values: [{ type: 'colour', value: '#11223344' }] }
    case CLASS.expression:
      return { state: { kind: 'expression', expression: 'x+1' } }
    case CLASS.gradient:
      return {
        state: {
          kind: 'gradient',
          isLinear: true,
          grips: [0, 1].map((position) => ({ position, left: '#11223344', right: '#ffffffff' })),
        },
      }
    default:
      return findOwnState(templateId)
  }
}

/** The state of List Item has the output of the item itself, that of a script its language. */
function findOwnState(templateId: string): Parameters<typeof buildNode>[2] {
  if (templateId === CLASS.listItem) return { state: { kind: 'options', options: { baseOutputIndex: 0 } } }
  const script = findScript(templateId)
  return script ? { state: { kind: 'script', language: script.language ?? 'unknown', source: '' } } : {}
}

/** Sets the values chosen on the object itself. */
function choose({ g }: Editing, node: Node): void {
  const set = (values: DataValue[]) => {
    delete node.values[node.instanceId]
    if (values.length > 0) node.values[node.instanceId] = { branches: [{ path: '{0}', values }] }
  }
  const state = node.state ?? {}
  const kind = state.kind ?? node.templateId
  if (kind === 'slider') {
    state.maximum = g(fc.constantFrom, 10, 100, 12.5)
    state.interval = g(fc.constantFrom, 'real', 'integer', 'even')
    const value = g(fc.integer, { min: 0, max: 10 })
    set([{ type: state.interval === 'real' ? 'number' : 'integer', value }])
  } else if (kind === 'panel') {
    state.text = g(fc.string, { unit: fc.constantFrom('a', '\n', '1') })
    state.isMultiline = g(fc.boolean)
    const lines = listPanelLines(String(state.text), state.isMultiline === true)
    set(lines.map((value) => ({ type: 'string', value })))
  } else if (kind === CLASS.booleanToggle) set([{ type: 'boolean', value: g(fc.boolean) }])
  else if (kind === CLASS.colourSwatch) {
    set([{ type: 'colour', value: g(fc.constantFrom, '#ff00ff00', '#01020304') }])
  } else if (kind === 'expression') state.expression = g(fc.constantFrom, 'x', 'a^b')
  else if (kind === 'script') state.source = g(fc.constantFrom, '', 'a = 1\nb = 2', 'ü')
  else if (kind === 'scribble') state.text = g(fc.constantFrom, 'Note', 'Two\nlines')
}

/** Ports that can have literal values of a known type. */
function listTypedPorts(node: Node): string[] {
  const isParameter = Object.hasOwn(node.ports, node.instanceId)
  if (isParameter && !findParameterType(node.templateId)) return []
  return Object.keys(node.inputs).filter((id) => VALUES[node.ports[id]?.typeName ?? ''])
}
