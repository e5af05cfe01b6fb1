import type { Node, Port } from '@meadow/contract'
import { createRecord } from '../../record.ts'
import type { Edit } from '../facts/fact.ts'
import type { NodeFact, PortAtPlace } from '../facts/node-facts.ts'

type Ports = Pick<Node, 'inputs' | 'outputs' | 'ports'>

/** The ports with what was edited of them. Orders can have gaps and fractions. Facts of no port are left out. */
export function applyPortEdits(born: Ports, edits: readonly Edit<NodeFact>[]): Ports {
  const whole = edits.filter(({ name }) => name === 'port')
  const parts = edits.filter(({ name }) => name.startsWith('port.'))
  if (whole.length + parts.length === 0) return born
  const inputs = createRecord(Object.entries(born.inputs))
  const outputs = createRecord(Object.entries(born.outputs))
  const ports = createRecord(Object.entries(born.ports))
  for (const { ids, value } of whole) {
    const id = ids[0]!
    for (const record of [inputs, outputs, ports]) delete record[id]
    if (value === null) continue
    const { side, order, ...port } = value as PortAtPlace
    ports[id] = port
    if (side === 'input') inputs[id] = order
    else outputs[id] = order
  }
  for (const { name, ids, value } of parts) {
    const port = ports[ids[0]!]
    if (port) ports[ids[0]!] = editPort(port, name, ids, value)
  }
  return { inputs, outputs, ports }
}

function editPort(port: Port, fact: NodeFact, ids: readonly string[], value: unknown): Port {
  switch (fact) {
    case 'port.flag':
      return { ...port, flags: toggle(port.flags, ids[1] as Port['flags'][number], value as boolean) }
    case 'port.option': {
      const { options = [], ...rest } = port
      const toggled = toggle(options, ids[1] as (typeof options)[number], value as boolean)
      return toggled.length > 0 ? { ...rest, options: toggled } : rest
    }
    case 'port.expression': {
      const { expression: _, ...rest } = port
      return value === null ? rest : { ...rest, expression: value as string }
    }
    default:
      return { ...port, [fact.slice('port.'.length)]: value }
  }
}

function toggle<T>(switches: readonly T[], which: T, isOn: boolean): T[] {
  const others = switches.filter((one) => one !== which)
  return isOn ? [...others, which] : others
}
