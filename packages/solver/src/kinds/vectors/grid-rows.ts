import type { KindContext } from '../define-kind.ts'

/** Whether a grid can be laid; says on the node why not. */
export function isGrid(
  sizeX: number,
  sizeY: number,
  countX: number,
  countY: number,
  context: KindContext,
): boolean {
  if (!(Number.isFinite(sizeX * sizeY) && sizeX * sizeY !== 0)) context.error('Cells need a size')
  else if (countX < 1 || countY < 1) context.error('A grid needs one cell or more in each direction')
  else return true
  return false
}

/** A branch for each row, after the path of the run. */
export function layRows<T>(
  { path }: KindContext,
  countX: number,
  countY: number,
  make: (i: number, j: number) => T,
) {
  const branches = Array.from({ length: countX }, (_, i) => ({
    path: [...path, i],
    values: Array.from({ length: countY }, (__, j) => make(i, j)),
  }))
  return { branches }
}
