import type { DataTree, DataValue } from '@meadow/contract'
import { sameGeometry } from './same-geometry.ts'
import { sameJson } from './same-json.ts'

/** Whether two ports hold the same values. A tree without values equals no tree. */
export function sameTree(
  a: DataTree | undefined,
  b: DataTree | undefined,
  compareValues: typeof sameValue = sameValue,
): boolean {
  if (isEmptyTree(a) || isEmptyTree(b)) return isEmptyTree(a) && isEmptyTree(b)
  return (
    a.branches.length === b.branches.length &&
    a.branches.every(({ path, values }, i) => {
      const other = b.branches[i]
      return (
        other?.path === path &&
        other.values.length === values.length &&
        values.every((value, j) => compareValues(value, other.values[j] ?? null))
      )
    })
  )
}

export function isEmptyTree(tree: DataTree | undefined): tree is undefined {
  return tree === undefined || tree.branches.every(({ values }) => values.length === 0)
}

/** The types whose JSON value is only a summary of the geometry. */
export const SUMMARISED: readonly DataValue['type'][] = ['curve', 'surface', 'brep', 'mesh', 'unknown']

/** Geometry is compared by its meaning, not by its summary, which may have been computed for only one of the two. */
export function sameValue(a: DataValue | null, b: DataValue | null): boolean {
  if (!a || !b) return a === b
  if (a.type !== b.type || a.referenceId !== b.referenceId) return false
  if (!sameJson(a.referencePart, b.referencePart)) return false
  if (!SUMMARISED.includes(a.type)) return sameJson(a.value, b.value)
  if (a.geometry && b.geometry) return sameGeometry(a.geometry, b.geometry)
  return a.geometry === b.geometry && sameJson(a.value, b.value)
}

/** Compares like `sameTree`, but integers and numbers with the same value are equal: the type depends on the port. */
export function agreeingTree(a: DataTree | undefined, b: DataTree | undefined): boolean {
  return sameTree(
    a,
    b,
    (one, other) =>
      sameValue(one, other) || (isNumeric(one) && isNumeric(other) && one.value === other.value),
  )
}

function isNumeric(value: DataValue | null): value is DataValue & { type: 'integer' | 'number' } {
  return value?.type === 'integer' || value?.type === 'number'
}
