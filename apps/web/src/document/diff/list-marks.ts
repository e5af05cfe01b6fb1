import type { Change, LayoutChange, NodeName } from '@meadow/diff'
import { idOn, locateChange, type Mark, type MarkedWire, type Side } from './locate-change.ts'

/** The parts of one graph that are marked. */
export interface Marks {
  nodes: ReadonlyMap<string, Mark>
  groups: ReadonlyMap<string, Mark>
  wires: readonly MarkedWire[]
}

/** The strengths of marks. Of several marks on the same thing, the strongest one is shown. */
const STRENGTH: Record<Mark, number> = { moved: 0, changed: 1, removed: 2, added: 3 }

/**
 * Lists the marks of the graph inside `clusters`, which begin with the outermost: those of changes in this graph, and
 * of its clusters with changes inside.
 */
export function listMarks(
  changes: readonly (Change | LayoutChange)[],
  clusters: readonly NodeName[],
  side: Side,
): Marks {
  const nodes = new Map<string, Mark>()
  const groups = new Map<string, Mark>()
  const wires: MarkedWire[] = []
  for (const change of changes) {
    const path = change.clusters ?? []
    if (!clusters.every((cluster, index) => path[index]?.instanceId === cluster.instanceId)) continue
    const { mark, [side]: location } = locateChange(change)
    const around = path[clusters.length]
    if (around) {
      add(nodes, idOn(side, around), mark === 'moved' ? 'moved' : 'changed')
      continue
    }
    for (const id of location.nodeIds) add(nodes, id, mark)
    for (const id of location.groupIds) add(groups, id, mark)
    wires.push(...location.wires)
  }
  return { nodes, groups, wires }
}

function add(marks: Map<string, Mark>, id: string, mark: Mark): void {
  const known = marks.get(id)
  if (known === undefined || STRENGTH[known] < STRENGTH[mark]) marks.set(id, mark)
}
