import { type Scheme, shownFill } from '../layout/colours.ts'
import type { GroupBox } from '../layout/groups.ts'

const RADIUS = 14

/** Paints groups, from the back to the front. */
export function paintGroups(
  context: CanvasRenderingContext2D,
  groups: readonly GroupBox[],
  { scheme, scale }: { scheme: Scheme; scale: number },
): void {
  for (const { group, box } of groups) {
    const { left, top, right, bottom } = box
    context.fillStyle = shownFill(group.colour, scheme)
    if (RADIUS * scale < MIN_RADIUS) {
      context.fillRect(left, top, right - left, bottom - top)
      continue
    }
    context.beginPath()
    context.roundRect(left, top, right - left, bottom - top, RADIUS)
    context.fill()
  }
}

/** The least radius of a corner that can be seen, in device pixels. */
const MIN_RADIUS = 2
