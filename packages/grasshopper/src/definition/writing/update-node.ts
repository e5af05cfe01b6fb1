import type { DataValue, Node } from '@meadow/document'
import type { DefinitionObject } from '../objects/definition-object.ts'
import type { PortChunk } from '../ports/port-chunk.ts'
import { findChosenValues } from '../values/chosen-values.ts'
import type { WriteWarningKind } from '../written-definition.ts'
import { updateKind } from './kinds/update-kind.ts'
import { updatePort } from './ports/update-port.ts'
import { type UpdatedPorts, updatePorts } from './ports/update-ports.ts'
import { updateFacts, updatePrincipal } from './update-facts.ts'
import { updatePlace } from './update-place.ts'
import type { ValueFate } from './values/make-item.ts'
import { updateValues } from './values/update-values.ts'
import { describeNode, type WriteContext } from './write-context.ts'

/** A node whose object is written but for its wires, which need to know what other nodes give. */
export interface UpdatedNode extends UpdatedPorts {
  before: Node
  after: Node
}

/** Writes what differs between what an object says and its node, wires aside. */
export function updateNode(
  object: DefinitionObject,
  before: Node,
  after: Node,
  context: WriteContext,
): UpdatedNode {
  updateFacts(object, before, after)
  updatePlace(object, before, after)
  const updated = updatePorts(object, before, after)
  updatePrincipal(object, before, after)
  const { inputs, outputs } = updated.ports
  const isChosen = findChosenValues(object) !== undefined
  for (const port of new Map([...inputs, ...outputs].map((each) => [each.id, each])).values()) {
    const earlier = updated.renamed.get(port.id) ?? port.id
    const [old, facts] = [before.ports[earlier], after.ports[port.id]]
    if (old && facts) updatePort(port.chunk, old, facts)
    if (!facts || (isChosen && port.chunk === object.container)) continue
    const known = { chunk: port.chunk, typeName: facts.typeName }
    const told = new Set<ValueFate>()
    updateValues(known, before.values[earlier], after.values[port.id], {
      findOpaque: context.findOpaque,
      report: (fate, value) => {
        if (!told.has(fate)) reportValue(fate, value, port, after, context)
        told.add(fate)
      },
    })
  }
  updateKind(object, before, after)
  return { ...updated, before, after }
}

const FATES: Readonly<Record<ValueFate, { kind: WriteWarningKind; what: string }>> = {
  left_out: { kind: 'value_left_out', what: 'cannot be held there and is null in the file' },
  converted: { kind: 'value_converted', what: 'is written as another type' },
  uncertain: { kind: 'value_uncertain', what: 'is of a kind that Grasshopper may not take there' },
}

/** Of one port, the first value stands for all that share its fate. */
function reportValue(
  fate: ValueFate,
  value: DataValue,
  { id }: PortChunk,
  node: Node,
  { warn }: WriteContext,
): void {
  const { kind, what } = FATES[fate]
  const port = node.ports[id]?.name ?? ''
  const message = `A value of type ${value.type} typed into ${describeNode(node)}, port ${port}, ${what}.`
  warn({ kind, nodeInstanceId: node.instanceId, portInstanceId: id, message })
}
