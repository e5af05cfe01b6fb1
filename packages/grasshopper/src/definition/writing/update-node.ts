import { type DataTree, type Node, sameMember } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { ensureChunk, removeItem, setItem, setSwitch } from '../../archive/tree/edit.ts'
import { findItem } from '../../archive/tree/find.ts'
import { samePosition } from '../compare/differences.ts'
import { toRecord, toSingle, toText } from '../model/coerce.ts'
import type { DefinitionObject } from '../model/definition-object.ts'
import { isOf2011 } from '../model/layout.ts'
import { findChosenValues, updateState } from '../states/index.ts'
import { updatePort, updatePorts } from './update-ports.ts'
import { updateValues, type ValueOutcome } from './values/update-values.ts'
import { describeNode, type WriteContext } from './write-context.ts'
import type { WriteWarningKind } from './written-definition.ts'

/**
 * Writes the differences between a node and its object, except wires, which depend on the ports of other nodes.
 * Returns the earlier ids of ports that were given another id, by their present ids.
 */
export function updateNode(
  object: DefinitionObject,
  before: Node,
  after: Node,
  context: WriteContext,
): ReadonlyMap<string, string> {
  updateNames(object, before, after)
  updateStatus(object, before.status, after.status)
  if (after.display !== before.display) updateDisplay(object, after.display)
  updateLayout(object, before, after)
  const renamed = updatePorts(object, before, after)
  updatePrincipal(object, before, after)
  const { inputs, outputs } = object.ports
  const hasChosenValues = findChosenValues(object) !== undefined
  for (const port of new Map([...inputs, ...outputs].map((each) => [each.id, each])).values()) {
    const earlierId = renamed.get(port.id) ?? port.id
    const [portBefore, portAfter] = [before.ports[earlierId], after.ports[port.id]]
    if (portBefore && portAfter) updatePort(port.chunk, portBefore, portAfter)
    if (!portAfter || (hasChosenValues && port.chunk === object.container)) continue
    updatePortValues({ ...port, typeName: portAfter.typeName }, before.values[earlierId], after, context)
  }
  updateState(object, before, after)
  return renamed
}

/** Writes the literal values of a port. Of the values with one outcome, the first gets the warning. */
function updatePortValues(
  port: { id: string; chunk: Chunk; typeName: string },
  before: DataTree | undefined,
  node: Node,
  { warn, findOpaqueItem }: WriteContext,
): void {
  const reported = new Set<ValueOutcome>()
  updateValues(port, before, node.values[port.id], {
    findOpaqueItem,
    report: (outcome, { type }) => {
      if (reported.has(outcome)) return
      reported.add(outcome)
      const { kind, what } = OUTCOMES[outcome]
      const portName = node.ports[port.id]?.name ?? ''
      const message = `A value of type ${type} typed into ${describeNode(node)}, port ${portName}, ${what}.`
      warn({ kind, nodeInstanceId: node.instanceId, portInstanceId: port.id, message })
    },
  })
}

const OUTCOMES: Readonly<Record<ValueOutcome, { kind: WriteWarningKind; what: string }>> = {
  left_out: { kind: 'value_left_out', what: 'cannot be held there and is null in the file' },
  converted: { kind: 'value_converted', what: 'is written as another type' },
  uncertain: { kind: 'value_uncertain', what: 'is of a kind that Grasshopper may not take there' },
}

function updateNames({ chunk, container }: DefinitionObject, before: Node, after: Node): void {
  if (after.name !== before.name) {
    const name = toText(after.name)
    // Clusters, scripts and user objects are listed under the name given by their author.
    if (findItem(chunk, 'Name', 'string') === findItem(container, 'Name', 'string')) {
      setItem(chunk, 'string', 'Name', name)
    }
    setItem(container, 'string', 'Name', name)
  }
  if (after.nickName !== before.nickName) setItem(container, 'string', 'NickName', toText(after.nickName))
}

/** The items Locked and Hidden exist only if they are true; files of 2011 have Enabled and Preview instead. */
function updateStatus({ container }: DefinitionObject, before: Node['status'], after: Node['status']): void {
  const isOld = isOf2011(container)
  if (after.isEnabled !== before.isEnabled) {
    if (isOld) setItem(container, 'bool', 'Enabled', after.isEnabled)
    else setSwitch(container, 'Locked', !after.isEnabled)
  }
  if (after.isPreviewed !== before.isPreviewed) {
    if (isOld) setItem(container, 'bool', 'Preview', after.isPreviewed)
    else setSwitch(container, 'Hidden', !after.isPreviewed)
  }
}

const DISPLAYS = [undefined, 'name', 'icon']

function updateDisplay({ container }: DefinitionObject, display: Node['display']): void {
  const code = Math.max(0, DISPLAYS.indexOf(display))
  if (code === 0) removeItem(container, 'IconDisplay')
  else setItem(container, 'int32', 'IconDisplay', code)
}

/** The index of the principal input, which the component holds. */
function updatePrincipal({ container }: DefinitionObject, before: Node, after: Node): void {
  const index = findPrincipal(after)
  if (index === findPrincipal(before)) return
  if (index === undefined) removeItem(container, 'PrincipalIndex')
  else setItem(container, 'int32', 'PrincipalIndex', index)
}

function findPrincipal({ inputs, ports }: Node): number | undefined {
  const id = Object.keys(inputs).find((input) => ports[input]?.options?.includes('principal'))
  return id === undefined ? undefined : inputs[id]
}

interface Step {
  x: number
  y: number
}

/** Moves an object with all its drawn parts, and sets its size. */
function updateLayout({ container }: DefinitionObject, before: Node, after: Node): void {
  if (!samePosition(before.position, after.position)) {
    const step = { x: after.position.x - before.position.x, y: after.position.y - before.position.y }
    moveAll(container, step)
    setPosition(ensureChunk(container, 'Attributes'), after.position)
  }
  const size = after.state?.size
  if (size !== undefined && !sameMember('size', before.state?.size, size)) {
    resize(ensureChunk(container, 'Attributes'), toRecord(size))
  }
}

/** The boxes on the canvas; the last two are those of 2011. */
const BOXES = ['Bounds', 'BBox', 'ObjectBox']

/** Moves the object's own attributes and those of its ports. */
function moveAll(chunk: Chunk, step: Step): void {
  if (chunk.name === 'Attributes') move(chunk, step)
  for (const child of chunk.chunks) moveAll(child, step)
}

function move(attributes: Chunk, step: Step): void {
  const shift = ({ x, y }: Step) => ({ x: toSingle(x + step.x), y: toSingle(y + step.y) })
  const pivot = findItem(attributes, 'Pivot', 'drawing_pointf')
  if (pivot) setItem(attributes, 'drawing_pointf', 'Pivot', shift(pivot))
  for (const name of BOXES) {
    const box = findItem(attributes, name, 'drawing_rectanglef')
    if (box) setItem(attributes, 'drawing_rectanglef', name, { ...box, ...shift(box) })
  }
}

/** The position is the pivot, otherwise the corner of the box; an object without either gets a pivot. */
function setPosition(attributes: Chunk, position: Step): void {
  const exact = { x: toSingle(position.x), y: toSingle(position.y) }
  const name = findItem(attributes, 'Pivot', 'drawing_pointf') ? undefined : findBoxName(attributes)
  const box = name === undefined ? undefined : findItem(attributes, name, 'drawing_rectanglef')
  if (name !== undefined && box) setItem(attributes, 'drawing_rectanglef', name, { ...box, ...exact })
  else setItem(attributes, 'drawing_pointf', 'Pivot', exact)
}

function findBoxName(attributes: Chunk): string | undefined {
  return ['Bounds', 'BBox'].find((name) => findItem(attributes, name, 'drawing_rectanglef'))
}

function resize(attributes: Chunk, size: Record<string, unknown>): void {
  const name = findBoxName(attributes) ?? 'Bounds'
  const corner =
    findItem(attributes, name, 'drawing_rectanglef') ?? findItem(attributes, 'Pivot', 'drawing_pointf')
  setItem(attributes, 'drawing_rectanglef', name, {
    x: corner?.x ?? 0,
    y: corner?.y ?? 0,
    width: toSingle(size.width),
    height: toSingle(size.height),
  })
}
