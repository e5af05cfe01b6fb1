import {
  type DataTree,
  findComponent,
  findScript,
  isOfferedVersion,
  type Node,
  type NodeState,
} from '@meadow/document'
import type { Definition, Note } from '@meadow/grasshopper'
import { describeKinds, EARLIER_FAMILY, findPlugin } from '@meadow/solver'
import picomatch from 'picomatch'
import type { FoundFault } from '../config/rules.ts'
import { placeOf, type WalkedNode } from './walk-nodes.ts'

const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'

/** The id of the library with scripts and Assert True, which comes with Rhino. */
const RHINO_CODE = '066d0a87-236f-4eae-a0f4-9e42f5327962'

/** The names that sliders have by default. */
const SLIDER_NAMES = new Set(['', 'Number Slider', 'Slider'])

/** The types whose values are always stored in files and never shown in documents. */
const HIDDEN_DEFAULTS = new Set(['Loft Options', 'Mesher Settings', 'Coordinate Mask', 'Mesh Face', 'Shader'])

/** A path to a drive, a server, a home folder or another place that differs between computers. */
const ABSOLUTE_PATH =
  /^\s*"?(?:file:\/\/|[a-z]:[\\/]|\\\\[\w.$-]+\\|\/(?:users|home|volumes|mnt|media|tmp|opt|private)\/)/i

const MAX_SHOWN = 100

/** Finds the faults that rules can find in a definition without solving it. */
export function* findStaticFaults(
  { content, notes }: Pick<Definition, 'content' | 'notes'>,
  nodes: readonly WalkedNode[],
  allowedPlugins: readonly string[],
): Generator<FoundFault> {
  yield* findPlugins(nodes, allowedPlugins)
  for (const walked of nodes) {
    if (!walked.isEnabled) continue
    const { node, place, graph } = walked
    const isScript = findScript(node.templateId) !== undefined || node.state?.kind === 'script'
    if (isScript) yield { rule: 'script', message: 'Runs a script', node: place }
    else if (!isParameter(node)) {
      const names = listUnconnected(node)
      if (names.length > 0) {
        const inputs = `${names.length === 1 ? 'Input' : 'Inputs'} ${names.join(', ')}`
        yield { rule: 'unconnected-input', message: `${inputs}: neither a wire nor a value`, node: place }
      }
    }
    if (node.templateId === SLIDER && SLIDER_NAMES.has(node.nickName.trim()) && isUsed(node, graph.nodes))
      yield { rule: 'unnamed-slider', message: 'The slider has no name of its own', node: place }
    for (const path of listAbsolutePaths(node))
      yield {
        rule: 'absolute-path',
        message: `The path ${quote(path)} leads nowhere on another computer`,
        node: place,
      }
    if (isObsolete(node.templateId))
      yield { rule: 'obsolete-component', message: 'This is an old version of the component', node: place }
  }
  for (const note of notes) yield toFault(note, content.nodes)
}

/** Yields one fault for each plug-in. Disabled nodes count too: without the plug-in, Grasshopper loses them. */
function* findPlugins(nodes: readonly WalkedNode[], allowed: readonly string[]): Generator<FoundFault> {
  const isAllowed = allowed.length > 0 ? picomatch([...allowed], { nocase: true }) : () => false
  const uses = new Map<string, { title: string; nodes: WalkedNode[] }>()
  for (const walked of nodes) {
    const { state } = walked.node
    const plugin = findPlugin(walked.node)
    if (!plugin || (state as { libraryId?: string }).libraryId === RHINO_CODE || isAllowed(plugin.name ?? ''))
      continue
    const title = plugin.name
      ? `${plugin.name}${plugin.version ? ` ${plugin.version}` : ''}`
      : `without a name (${(state as { libraryId?: string }).libraryId ?? 'no id'})`
    const known = uses.get(title)
    if (known) known.nodes.push(walked)
    else uses.set(title, { title, nodes: [walked] })
  }
  for (const { title, nodes } of uses.values()) {
    const others = nodes.length - 1
    const more = others === 0 ? '' : `, as ${others === 1 ? 'does one more' : `do ${others} more`}`
    yield { rule: 'plugin', message: `Belongs to the plug-in ${title}${more}`, node: nodes[0]!.place }
  }
}

/** Whether a node is a parameter object, which has one port and may well be the beginning of a graph. */
const isParameter = ({ instanceId, ports }: Node): boolean => ports[instanceId] !== undefined

/** Returns the names of the required inputs that get no data. */
function listUnconnected({ inputs, sources, values, ports }: Node): string[] {
  return Object.keys(inputs).flatMap((id) => {
    const port = ports[id]
    if (!port || port.options?.includes('optional') || HIDDEN_DEFAULTS.has(port.typeName)) return []
    const isFed = (sources[id]?.length ?? 0) > 0 || hasValues(values[id])
    return isFed ? [] : [port.nickName || port.name]
  })
}

const hasValues = (tree: DataTree | undefined): boolean =>
  tree?.branches.some(({ values }) => values.length > 0) ?? false

const isUsed = ({ instanceId }: Node, nodes: Readonly<Record<string, Node>>): boolean =>
  Object.values(nodes).some(({ sources }) =>
    Object.values(sources).some((wires) => wires.some((wire) => wire.nodeInstanceId === instanceId)),
  )

/** Returns the absolute paths in a node, each of them once. */
function listAbsolutePaths(node: Node): Set<string> {
  return new Set(listTexts(node).filter((text) => ABSOLUTE_PATH.test(text)))
}

function listTexts({ values, sources, state }: Node): string[] {
  const own = Object.entries(values)
    .filter(([id]) => (sources[id]?.length ?? 0) === 0)
    .flatMap(([, { branches }]) => branches)
    .flatMap((branch) => branch.values)
    .flatMap((value) => (value?.type === 'string' ? [value.value] : []))
  return [...own, ...listStateTexts(state as NodeState | undefined)]
}

function listStateTexts(state: NodeState | undefined): string[] {
  switch (state?.kind) {
    case 'cluster':
    case 'imageSampler':
      return state.path ? [state.path] : []
    case 'script':
      return state.references ?? []
    case 'valueList':
      return state.items.map(({ expression }) => expression)
    default:
      return []
  }
}

function quote(text: string): string {
  const [line = ''] = text.trim().replaceAll('"', '').split('\n')
  return `"${line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line}"`
}

let earlier: ReadonlySet<string> | undefined

function isObsolete(templateId: string): boolean {
  earlier ??= new Set(
    describeKinds().flatMap(({ family, guid }) => (family === EARLIER_FAMILY ? [guid] : [])),
  )
  const component = findComponent(templateId)
  return (
    earlier.has(templateId) ||
    (component !== undefined && !isOfferedVersion(component) && / \(old\)$/.test(component.subcategory))
  )
}

function toFault(note: Note, nodes: Readonly<Record<string, Node>>): FoundFault {
  const node = 'nodeInstanceId' in note ? nodes[note.nodeInstanceId] : undefined
  return { rule: 'damaged-part', message: describeNote(note, nodes), ...(node && { node: placeOf(node) }) }
}

function findPortName(
  { nodeInstanceId, portInstanceId }: Extract<Note, { kind: 'port_left_out' }>,
  nodes: Readonly<Record<string, Node>>,
): string {
  return nodes[nodeInstanceId]?.ports[portInstanceId]?.name ?? ''
}

function describeNote(note: Note, nodes: Readonly<Record<string, Node>>): string {
  switch (note.kind) {
    case 'dropped_wire':
      return `A wire comes from ${note.senderId}, which is not in the file`
    case 'unreadable_geometry':
      return 'Geometry that it holds cannot be read'
    case 'geometry_left_out':
      return 'Geometry that it holds is too large to be read'
    case 'port_left_out':
      return `The file leaves out its port ${quote(findPortName(note, nodes))}, which has the default of its kind`
    case 'miscounted':
      return `A list announces ${note.announced} ${note.elements}, but has ${note.found} (at ${note.where})`
    case 'repaired':
      return `The graph is not valid: ${note.repair.kind}`
  }
}
