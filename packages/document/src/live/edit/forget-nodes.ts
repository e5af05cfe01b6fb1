import type * as Y from 'yjs'
import { findPin } from '../facts/pin-key.ts'
import { getRoots } from '../layout.ts'
import { findGroup } from '../read/find-group.ts'
import { findNode } from '../read/find-node.ts'
import type { Plan } from './make-edit.ts'
import { createMentions } from './mentions.ts'
import { cutWire } from './wires.ts'

/** Notes that the wires from nodes that go, their membership in groups and their pins go with them. */
export function forgetNodes(doc: Y.Doc, gone: ReadonlySet<string>, plan: Plan): void {
  const { nodes, groups, pins } = getRoots(doc)
  const mentions = createMentions([...gone])
  for (const [id, facts] of nodes) {
    // Most nodes have nothing to do with those that go, and reading one takes longer than a look at its text.
    if (gone.has(id) || !mentions(facts)) continue
    for (const [input, wires] of Object.entries(findNode(id, facts)?.sources ?? {})) {
      const to = { nodeInstanceId: id, portInstanceId: input }
      for (const wire of wires) if (gone.has(wire.nodeInstanceId)) cutWire(to, facts, wire, plan)
    }
  }
  for (const [id, facts] of groups) {
    for (const member of findGroup(id, facts)?.nodeInstanceIds ?? []) {
      if (gone.has(member)) plan.setGroup(facts, 'node', [member], false)
    }
  }
  for (const key of pins.keys()) {
    const pin = findPin(key)
    if (pin && gone.has(pin.port.nodeInstanceId)) plan.write(() => pins.delete(key))
  }
}
