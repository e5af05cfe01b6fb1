import type { DataValue, Node, ObjectPart, Port, PortFlag, UnknownKind } from '@meadow/contract'
import type { NodeState, ScriptLanguage } from '@meadow/document'
import { formatValue } from '../../values/format-value.ts'
import { labelOf, listPorts } from '../layout/node-box.ts'

/** A port in words. */
export interface PortDescription {
  id: string
  name: string
  /** The name that the canvas shows, if it is another one. */
  nickName: string | undefined
  /** The type and structure of the data, such as `Number, a list`. */
  data: string
  /** How it treats its data, and how it is drawn. */
  marks: string[]
  wires: number
  values: ValueDescription[]
  /** The number of values that are left out. */
  more: number
}

export interface ValueDescription {
  /** The place of the value, such as `{0;1}[2]`; undefined for the only value. */
  position: string | undefined
  text: string
  /** The colour as `#rrggbbaa`: of a colour value, or the diffuse one of a material. */
  colour: string | undefined
  /** Ids that can be copied. */
  ids: { label: string; id: string }[]
  /** What else the file says about the value. */
  details: { name: string; text: string; colour: string | undefined }[]
}

export interface NodeDescription {
  title: string
  /** The name of the component, where the title is another. */
  component: string | undefined
  plugin: string | undefined
  /** What is special about the node, such as `Disabled`. */
  marks: string[]
  facts: readonly (readonly [name: string, value: string])[]
  inputs: PortDescription[]
  outputs: PortDescription[]
}

/** The largest number of values that are listed for one port. */
const MAX_VALUES = 100

/** What a node is, in words: its component, its state, and its ports with the values that were typed in. */
export function describeNode(node: Node): NodeDescription {
  const { name, status, inputs, outputs, state } = node
  const title = labelOf(node)
  return {
    title,
    component: name === title || name === '' ? undefined : name,
    plugin: describePlugin(state as NodeState | undefined),
    marks: [...(status.isEnabled ? [] : ['Disabled']), ...(status.isPreviewed ? [] : ['Preview off'])],
    facts: describeState(state as NodeState | undefined),
    inputs: listPorts(inputs).map((id) => describePort(node, id)),
    // The one port of a parameter is at both sides, and is listed once.
    outputs: listPorts(outputs)
      .filter((id) => !Object.hasOwn(inputs, id))
      .map((id) => describePort(node, id)),
  }
}

const ACCESS = { item: 'an item', list: 'a list', tree: 'a tree' }
const FLAGS: Record<PortFlag, string> = {
  graft: 'Graft',
  flatten: 'Flatten',
  simplify: 'Simplify',
  reverse: 'Reverse',
}

function describePort({ ports, sources, values }: Node, id: string): PortDescription {
  const port = ports[id]
  const listed = (values[id]?.branches ?? []).flatMap(({ path, values }) =>
    values.map((value, index) => ({ position: `${path}[${index}]`, value })),
  )
  return {
    id,
    name: port?.name ?? '?',
    nickName: port && port.nickName !== port.name ? port.nickName : undefined,
    data: port ? `${port.typeName}, ${ACCESS[port.access]}` : '',
    marks: [
      ...(port?.flags ?? []).map((flag) => FLAGS[flag]),
      ...(port?.options ?? []).flatMap((option) =>
        option === 'optional' ? [] : [OPTIONS[option] ?? capitalize(option)],
      ),
      ...(port?.wireDisplay === undefined ? [] : [`${capitalize(port.wireDisplay)} wires`]),
      ...(port?.expression === undefined ? [] : [`x → ${port.expression}`]),
    ],
    wires: sources[id]?.length ?? 0,
    values: listed.slice(0, MAX_VALUES).map(({ position, value }) => ({
      ...describeValue(value),
      position: listed.length > 1 ? position : undefined,
    })),
    more: Math.max(0, listed.length - MAX_VALUES),
  }
}

const OPTIONS: Partial<Record<NonNullable<Port['options']>[number], string>> = {
  hidden: 'Preview off',
  locked: 'Disabled',
}

/** Writes `baseOutputIndex` as `Base output index`. */
const spaced = (name: string): string =>
  capitalize(name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))

const capitalize = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`

/** Names of the ids in values that have no form of their own. */
const ID_NAMES: Partial<Record<UnknownKind, Readonly<Record<string, string>>>> = {
  revit: { documentId: 'Revit document', uniqueId: 'Revit unique id', elementId: 'Revit element' },
  guid: { id: 'Id' },
}
const COLOUR = /^#[0-9a-f]{8}$/

/** A value with the ids in it. */
export function describeValue(value: DataValue | null): Omit<ValueDescription, 'position'> {
  const text = value ? formatValue(value) : 'null'
  const unknown = value?.type === 'unknown' ? value.value : undefined
  const { kind, className, properties = {} } = unknown ?? {}
  const names = (kind && ID_NAMES[kind]) ?? {}
  const others = Object.entries(properties).filter(([name]) => !Object.hasOwn(names, name))
  const { referenceId, referencePart } = value ?? {}
  return {
    text: referencePart ? `${text} (${describePart(referencePart)})` : text,
    colour: value?.type === 'colour' ? value.value : findColour(properties.diffuse),
    ids: [
      ...(referenceId === undefined ? [] : [{ label: 'Rhino object', id: referenceId }]),
      ...Object.entries(names).flatMap(([name, label]) =>
        properties[name] === undefined ? [] : [{ label, id: String(properties[name]) }],
      ),
    ],
    details: [
      ...(className === undefined ? [] : [{ name: 'Class', text: className, colour: undefined }]),
      ...others.map(([name, own]) => ({ name, text: String(own), colour: findColour(own) })),
    ],
  }
}

const findColour = (value: unknown): string | undefined =>
  typeof value === 'string' && COLOUR.test(value) ? value : undefined

const describePart = ({ type, index }: ObjectPart): string =>
  [type.replaceAll('_', ' '), index].filter((part) => part !== undefined).join(' ')

function describePlugin(state: NodeState | undefined): string | undefined {
  const library = state?.kind === 'plugin' ? state : state?.kind === 'valueList' ? state.plugin : undefined
  if (!library) return undefined
  return [library.library ?? 'A plug-in that the file does not name', library.version]
    .filter(Boolean)
    .join(' ')
}

const INTERVALS = {
  real: 'Any numbers',
  integer: 'Whole numbers',
  even: 'Even numbers',
  odd: 'Odd numbers',
}

function describeState(state: NodeState | undefined): NodeDescription['facts'] {
  switch (state?.kind) {
    case 'slider':
      return [
        ['Range', `${state.minimum} to ${state.maximum}`],
        ['Takes', INTERVALS[state.interval]],
        ...(state.interval === 'real' ? [['Decimals', String(state.decimals)] as const] : []),
        ...(state.snaps ? [['Snaps to', state.snaps.join(', ')] as const] : []),
      ]
    case 'genePool':
    case 'knob':
      return [
        ['Range', `${state.minimum} to ${state.maximum}`],
        ['Decimals', String(state.decimals)],
      ]
    case 'cluster':
      return [
        ['Content', state.isProtected ? 'Behind a password' : 'A graph, read-only'],
        ...(state.path === undefined ? [] : [['Linked file', state.path] as const]),
      ]
    case 'expression':
      return [['Expression', state.expression]]
    case 'imageSampler':
      return [['Image', state.path]]
    case 'options':
      return Object.entries(state.options).map(([name, value]) => [spaced(name), String(value)] as const)
    case 'script':
      return [...(state.references ?? []).map((path) => ['Refers to', path] as const)]
    default:
      return []
  }
}

/** Names of languages for people. */
export const LANGUAGE_NAMES: Record<ScriptLanguage, string> = {
  python2: 'IronPython 2',
  python3: 'Python 3',
  csharp: 'C#',
  vb: 'VB.NET',
  unknown: 'Unknown language',
}
