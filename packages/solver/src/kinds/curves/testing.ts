import type { Value } from '@meadow/geometry/values/value'
import type { Shown } from '../../testing/run.ts'

/** The values of all branches, rounded, points as triples: `[[0, 1, 0], 2.5]`. */
export function show(output: Shown | undefined): unknown[] {
  return Object.values(output ?? {})
    .flat()
    .map(simplify)
}

function simplify(value: Value | null): unknown {
  if (typeof value === 'number') return round(value)
  if (value === null || typeof value !== 'object') return value
  if (value.type === 'point' || value.type === 'vector')
    return [round(value.x), round(value.y), round(value.z)]
  if (value.type === 'domain') return [round(value.start), round(value.end)]
  return value.type === 'integer' ? value.value : value.type
}

function round(value: number): number {
  return Number(value.toFixed(6)) + 0
}
