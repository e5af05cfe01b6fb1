import type { GraphContent, Node } from '@meadow/contract'
import { boxOf } from './node-box.ts'

/** A part of the canvas, in canvas units. */
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

/** Larger by so much on each side. */
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

/** What both have; undefined where that is nothing. */
export function intersect(a: Rectangle, b: Rectangle): Rectangle | undefined {
  const both = {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  }
  return both.left < both.right && both.top < both.bottom ? both : undefined
}

/** The smallest one around all of them; undefined where there are none. */
export function unite(rectangles: Iterable<Rectangle>): Rectangle | undefined {
  let whole: Rectangle | undefined
  for (const { left, top, right, bottom } of rectangles)
    whole = {
      left: Math.min(whole?.left ?? left, left),
      top: Math.min(whole?.top ?? top, top),
      right: Math.max(whole?.right ?? right, right),
      bottom: Math.max(whole?.bottom ?? bottom, bottom),
    }
  return whole
}

export function rectangleOf(node: Node): Rectangle {
  const { x, y, width, height } = boxOf(node)
  return { left: x, top: y, right: x + width, bottom: y + height }
}

/** What nodes take up together; undefined where there are none. */
export const boundsOf = (ids: readonly string[], nodes: GraphContent['nodes']): Rectangle | undefined =>
  unite(ids.flatMap((id) => (nodes[id] ? [rectangleOf(nodes[id])] : [])))
