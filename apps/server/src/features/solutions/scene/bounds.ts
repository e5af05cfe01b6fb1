import type { SceneHeader } from '@meadow/contract/web'
import type { Drawing } from '@meadow/solver'

type Xyz = Drawing['points'][number]

/** How far what is drawn reaches, and a place in the midst of it. */
export interface Bounds {
  add(drawing: Drawing): void
  /** The middle of what was added first, in whole numbers: from there all else is told. */
  readonly origin: Xyz
  /** Relative to the origin. */
  readonly box: SceneHeader['boundingBox']
}

export function createBounds(): Bounds {
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  let origin: Xyz | undefined

  const reach = (axis: number, value: number) => {
    if (value < low[axis]!) low[axis] = value
    if (value > high[axis]!) high[axis] = value
  }
  const addPlace = ({ x, y, z }: Xyz) => {
    reach(0, x)
    reach(1, y)
    reach(2, z)
  }
  const middle = (axis: number) => Math.round((low[axis]! + high[axis]!) / 2)

  return {
    add({ positions, edges, curves, points }) {
      for (let i = 0; i < positions.length; i++) reach(i % 3, positions[i]!)
      for (const places of [...edges, ...curves, points]) places.forEach(addPlace)
      origin ??= { x: middle(0), y: middle(1), z: middle(2) }
    },
    get origin() {
      return origin ?? { x: 0, y: 0, z: 0 }
    },
    get box(): SceneHeader['boundingBox'] {
      if (!origin) return null
      const { x, y, z } = origin
      const relative = ([a, b, c]: number[]): [number, number, number] => [a! - x, b! - y, c! - z]
      return [relative(low), relative(high)]
    },
  }
}
