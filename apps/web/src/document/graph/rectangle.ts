import type { GraphContent, Node } from '@meadow/contract'
import { boxOf } from './node-shape.ts'

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

/** Larger by this share of its size on each side. */
export function grow({ left, top, right, bottom }: Rectangle, share: number): Rectangle {
  const [x, y] = [(right - left) * share, (bottom - top) * share]
  return { left: left - x, top: top - y, right: right + x, bottom: bottom + y }
}

export function rectangleOf(node: Node): Rectangle {
  const { x, y, width, height } = boxOf(node)
  return { left: x, top: y, right: x + width, bottom: y + height }
}

/** What nodes take up together; undefined where there are none. */
export function boundsOf(ids: Iterable<string>, nodes: GraphContent['nodes']): Rectangle | undefined {
  let bounds: Rectangle | undefined
  for (const id of ids) {
    const node = nodes[id]
    if (!node) continue
    const { left, top, right, bottom } = rectangleOf(node)
    bounds = {
      left: Math.min(bounds?.left ?? left, left),
      top: Math.min(bounds?.top ?? top, top),
      right: Math.max(bounds?.right ?? right, right),
      bottom: Math.max(bounds?.bottom ?? bottom, bottom),
    }
  }
  return bounds
}
