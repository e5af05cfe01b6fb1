import { findContact } from '@meadow/geometry/breps/find-contact'
import { findTightBounds } from '@meadow/geometry/tight-bounds'
import { type Bounds, overlap } from '@meadow/geometry/values/bounding-box'
import { WORLD_XY } from '@meadow/geometry/values/planes'
import type { Geometry } from '@meadow/geometry/values/value'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'

/** No obstacle. */
const NONE = -1

export const COLLISIONS: readonly Kind[] = [
  defineKind({
    guid: 'bb6c6501-0500-4678-859b-b838348981d1',
    description:
      'Whether an object collides with any of several others, and the index of the first; -1 for none.',
    solve: ([collider, obstacles], context) => {
      const shapes = listShapes(obstacles, context)
      const [own] = listShapes([collider], context)
      const near = [...shapes.keys()].filter((i) => own && shapes[i] && !isFar(own, shapes[i], context))
      const index = findFirst(near, (i) => meet(own, shapes[i], context))
      if (index !== undefined) return [index !== NONE, index]
      context.limit(UNCLEAR)
      return []
    },
  }),
  defineKind({
    guid: '2168853c-acd8-4a63-9c9b-ecde9e239eae',
    description:
      'Whether each object collides with any other, and the index of the first of these; -1 for none.',
    solve: ([colliders], context) => {
      const shapes = listShapes(colliders, context)
      const near = listNear(shapes, context)
      const known = new Map<string, boolean | undefined>()
      const test = (a: number, b: number) => {
        const key = `${Math.min(a, b)} ${Math.max(a, b)}`
        if (!known.has(key)) known.set(key, meet(shapes[a], shapes[b], context))
        return known.get(key)
      }
      const indices = near.map((others, i) =>
        findFirst(
          others.toSorted((a, b) => a - b),
          (other) => test(i, other),
        ),
      )
      if (!indices.includes(undefined)) {
        return [indices.map((index) => index !== NONE), indices as number[]]
      }
      context.limit(UNCLEAR)
      return []
    },
  }),
]

const UNCLEAR =
  'Collisions are solved for curves, and for closed shapes with flat faces that neither touch nor contain each other'

interface Shape {
  readonly geometry: Geometry
  /** Undefined for geometry without extent of its own, such as a plane. */
  readonly bounds: Bounds | undefined
}

function listShapes(geometry: readonly (Geometry | null)[], context: KindContext): (Shape | undefined)[] {
  context.reserve(2 * geometry.length)
  return geometry.map((one) => (one ? { geometry: one, bounds: findTightBounds(one, WORLD_XY) } : undefined))
}

function isFar(a: Shape, b: Shape, context: KindContext): boolean {
  return a.bounds !== undefined && b.bounds !== undefined && !overlap(a.bounds, b.bounds, context.tolerance)
}

/** Whether two shapes collide; undefined where it is unclear. */
function meet(a: Shape | undefined, b: Shape | undefined, context: KindContext): boolean | undefined {
  const contact = a?.bounds && b?.bounds && findContact(a.geometry, b.geometry, context.tolerance)
  return contact && contact === 'crossing'
}

/** The first of ascending indices that passes a test, or -1; undefined if an earlier one is unclear. */
function findFirst(
  indices: readonly number[],
  test: (index: number) => boolean | undefined,
): number | undefined {
  for (const index of indices) {
    const isHit = test(index)
    if (isHit === undefined) return undefined
    if (isHit) return index
  }
  return NONE
}

/** For each shape those whose bounding boxes are near, found by a sweep along x. */
function listNear(shapes: readonly (Shape | undefined)[], context: KindContext): number[][] {
  const near: number[][] = shapes.map(() => [])
  const startOf = (i: number) => shapes[i]?.bounds?.min.x ?? -Infinity
  const order = [...shapes.keys()].filter((i) => shapes[i]).sort((a, b) => startOf(a) - startOf(b))
  for (const [place, a] of order.entries()) {
    const own = shapes[a] as Shape
    const end = own.bounds ? own.bounds.max.x + context.tolerance : Infinity
    for (let next = place + 1; next < order.length && startOf(order[next] as number) <= end; next++) {
      const b = order[next] as number
      context.reserve(1)
      if (isFar(own, shapes[b] as Shape, context)) continue
      near[a]?.push(b)
      near[b]?.push(a)
    }
  }
  return near
}
