import type { GraphContent } from '@meadow/contract'
import { createRecord } from '../graph/record.ts'
import { assignPorts } from './assign-ports.ts'
import type { Repair, Report } from './repair.ts'
import { repairGroups } from './repair-groups.ts'
import { repairNode } from './repair-node.ts'
import { repairPins } from './repair-pins.ts'

/**
 * Makes any graph complete and valid (decision 21, rules DOC-10 to DOC-19 of SPEC.md) and lists the repairs; a graph is
 * valid if there are none. Pure: it never throws and does not change its input.
 * The same graph gives the same result for any order of its records. Cycles stay: see `findCycle`.
 * The records of the result have no prototype, so ids such as `__proto__` are harmless.
 */
export function repairGraph(content: GraphContent): { content: GraphContent; repairs: Repair[] } {
  const repairs: Repair[] = []
  const report: Report = (repair) => {
    repairs.push(repair)
  }
  const ports = assignPorts(content.nodes, report)
  const nodes = createRecord(
    Object.entries(content.nodes).map(([id, node]) => [id, repairNode(id, node, ports, report)]),
  )
  const { inputs, outputs } = content.configuration
  const repaired = {
    nodes,
    groups: repairGroups(content.groups, nodes, report),
    configuration: {
      inputs: repairPins(inputs, ports, report),
      outputs: repairPins(outputs, ports, report),
    },
  }
  return { content: repaired, repairs }
}
