/** A number between two, either of which may be missing at an end; undefined where there is none any more. */
export function findOrderBetween(before: number | undefined, after: number | undefined): number | undefined {
  if (before === undefined) return after === undefined ? 0 : after - 1
  if (after === undefined) return before + 1
  const between = (before + after) / 2
  return between > before && between < after ? between : undefined
}
