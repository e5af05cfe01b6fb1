import { CLASS } from '../../objects/class-ids.ts'
import type { Side } from './create-port.ts'

const BOTH: readonly Side[] = ['input', 'output']

/** Components that name their ports themselves, as they are added and removed. Source: files. */
const MANAGED = new Map<string, readonly Side[]>([
  [CLASS.merge, ['input']],
  [CLASS.entwine, ['input']],
  [CLASS.weave, ['input']],
  [CLASS.combineData, ['input']],
  [CLASS.streamFilter, BOTH],
  [CLASS.shortestList, ['output']],
  [CLASS.listItem, ['output']],
  [CLASS.explodeTree, ['output']],
  [CLASS.dataDam, ['output']],
])

/** Whether the user cannot rename the ports of this side, which each of them then says. */
export function hasFixedNames(classId: string, side: Side): boolean {
  return MANAGED.get(classId)?.includes(side) ?? false
}
