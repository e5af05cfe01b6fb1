import type { Xy } from '@meadow/document'
import type { Xy as ItemXy } from '../../archive/tree/archive.ts'
import { samePosition } from '../compare/differences.ts'
import { toList, toNumber } from '../model/coerce.ts'
import { toFinite } from '../model/text.ts'
import type { Change } from './change.ts'

/* Drawn coordinates are relative to the position of their node, so that they move with it. */

/** Positions in files are singles: offsets with more precision than this would change when a node moves. */
const STEPS = 32

export function toOffset(point: ItemXy, from: ItemXy): Xy {
  const round = (offset: number) => Math.round(offset * STEPS) / STEPS
  return [round(toFinite(point.x) - from.x), round(toFinite(point.y) - from.y)]
}

export function toPosition(offset: unknown, { after }: Change): ItemXy {
  const [x, y] = toList(offset)
  return { x: Math.fround(after.position.x) + toNumber(x), y: Math.fround(after.position.y) + toNumber(y) }
}

/** Writes coordinates if they differ or the node moved. */
export function writeMoved(change: Change, key: string, write: (points: unknown[]) => void): void {
  const { before, after, member } = change
  if (samePosition(before.position, after.position)) member(key, (points) => write(toList(points)))
  else write(toList(after.state?.[key]))
}
