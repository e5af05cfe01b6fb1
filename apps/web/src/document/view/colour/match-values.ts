import type { DataBranch, DataValue } from '@meadow/contract'
import type { PortSummary } from '@meadow/contract/web'
import type { ScenePort } from '../scene/scene-values.ts'

/**
 * How the objects of a port got their values:
 * - `path`: from the item with the same path and index.
 * - `order`: from the item with the same number, counted through all branches.
 * - `none`: the trees are different, and nothing is guessed.
 */
export type MatchMethod = 'path' | 'order' | 'none'

/** The data of a port that objects are coloured by. */
export interface MatchedData {
  branches: readonly DataBranch[]
  total: number
  branchCount: number
}

/**
 * Returns the values of the objects of one port, by their numbers in it; undefined for an object without a value.
 *
 * Objects and items belong together where path and index are the same. Then both trees have as many branches and values,
 * or several branches of which only the lengths differ. Otherwise they belong together by their order, if there are as
 * many. A single branch of another length matches nothing: nearly every port has a branch `{0}`.
 * @param summary The whole tree of the objects' port. A scene ends with the last object of a branch that can be drawn.
 */
export function matchValues(
  port: Pick<ScenePort, 'branches' | 'count'>,
  summary: Pick<PortSummary, 'branches' | 'values'> | undefined,
  data: MatchedData,
): { method: MatchMethod; values: (DataValue | null | undefined)[] } {
  const byPath = new Map(data.branches.map((branch) => [branch.path, branch.values]))
  const hasPaths = port.branches.every(({ path }) => byPath.has(path))
  const isInside = hasPaths && port.branches.every(({ path, values }) => values <= byPath.get(path)!.length)
  const tree = summary ?? { branches: port.branches.length, values: port.count }
  const isSameTree = isInside && tree.branches === data.branchCount && tree.values === data.total
  const isSameBranches = hasPaths && tree.branches === data.branchCount && data.branchCount > 1
  if (isSameTree || isSameBranches)
    return {
      method: 'path',
      values: port.branches.flatMap(({ path, values }) => {
        const items = byPath.get(path)!
        return Array.from({ length: values }, (_, index) => items[index])
      }),
    }
  if (tree.values === data.total && port.count === tree.values)
    return { method: 'order', values: data.branches.flatMap(({ values }) => values) }
  return { method: 'none', values: new Array(port.count) }
}
