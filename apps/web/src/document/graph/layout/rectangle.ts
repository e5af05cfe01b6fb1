import type { GraphContent, Node } from '@meadow/contract'
import { boxOf } from './node-box.ts'

/** An axis-aligned rectangle of the canvas, in canvas units. */
export interface Rectangle {
  left: number
  top: number
  right: number
  bottom: number
}

export const touches = (a: Rectangle, b: Rectangle): boolean =>
  a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom

export const contains = (outer: Rectangle, inner: Rectangle): boolean =>
  outer.left <= inner.left &&
  outer.right >= inner.right &&
  outer.top <= inner.top &&
  outer.bottom >= inner.bottom

/** Moves each side outwards. */
export const grow = ({ left, top, right, bottom }: Rectangle, x: number, y = x): Rectangle => ({
  left: left - x,
  top: top - y,
  right: right + x,
  bottom: bottom + y,
})

export const moveBy = ({ left, top, right, bottom }: Rectangle, x: number, y: number): Rectangle => ({
  left: left + x,
  top: top + y,
  right: right + x,
  bottom: bottom + y,
})

/** The intersection; undefined when it is empty. */
export function intersect(a: Rectangle, b: Rectangle): Rectangle | undefined {
  const both = {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  }
  return both.left < both.right && both.top < both.bottom ? both : undefined
}

/** The bounding box of rectangles; undefined without any. */
export function unite(rectangles: Iterable<Rectangle>): Rectangle | undefined {
  let bounds: Rectangle | undefined
  for (const { left, top, right, bottom } of rectangles)
    bounds = {
      left: Math.min(bounds?.left ?? left, left),
      top: Math.min(bounds?.top ?? top, top),
      right: Math.max(bounds?.right ?? right, right),
      bottom: Math.max(bounds?.bottom ?? bottom, bottom),
    }
  return bounds
}

export function rectangleOf(node: Node): Rectangle {
  const { x, y, width, height } = boxOf(node)
  return { left: x, top: y, right: x + width, bottom: y + height }
}

/** The bounding box of nodes; undefined without any. */
export const boundsOf = (ids: readonly string[], nodes: GraphContent['nodes']): Rectangle | undefined =>
  unite(ids.flatMap((id) => (nodes[id] ? [rectangleOf(nodes[id])] : [])))
