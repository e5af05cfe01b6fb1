import type { DataValue } from '@meadow/contract'
import { isGeometry } from '@meadow/geometry/values/is-geometry'
import type { Geometry, Value } from '@meadow/geometry/values/value'
import { encodeValue } from '../solve/encode-value.ts'
import { type Solution, type SolveOptions, solve } from '../solve/solve.ts'
import { type NodeSketch, sketchGraph } from './graph.ts'

const RELAY = 'b6236720-8d88-4289-93c3-ac4c99f9b97b'
/** Of no class that the solver knows. */
const PLUGIN = '11111111-2222-4333-8444-555555555555'

/** A list in `{0}`, no data, or the output of a node that the solver does not support. */
export type KindData = readonly (Value | null)[] | 'unknown' | undefined

/**
 * Solves a document with one node of a kind, called `node`, and a relay for each of its inputs. `sketch` overrides
 * properties of the node.
 */
export function solveKind(
  guid: string,
  inputs: readonly KindData[],
  options: SolveOptions = {},
  sketch: Partial<NodeSketch> = {},
): Solution {
  // These have no wire format that can be read back, so they are passed as geometry that `decodeGeometry`
  // returns.
  const isHandedOver = (value: Value): value is Geometry =>
    isGeometry(value) || (typeof value === 'object' && value.type === 'domain2')
  const known = new Map<string, Geometry>()
  const encode = (value: Value | null): DataValue | null => {
    if (value === null || !isHandedOver(value)) return encodeValue(value)
    const data = String(known.size)
    known.set(data, value)
    const geometry = { version: 10000, archive3dm: 70, opennurbs: 1, data }
    return { type: 'curve', value: { description: '', boundingBox: null }, geometry }
  }
  const sources = inputs.map((input, i): [string, NodeSketch] => {
    if (input === 'unknown') return [`in${i}`, { guid: PLUGIN }]
    const typed = input ? [{ typed: input.map(encode) }] : []
    return [`in${i}`, { guid: RELAY, isParameter: true, inputs: typed }]
  })
  const node = {
    guid,
    inputs: inputs.map((input, i) => (input === 'unknown' ? `in${i}.o0` : `in${i}`)),
    ...sketch,
  }
  return solve(sketchGraph({ ...Object.fromEntries(sources), node }), {
    decodeGeometry: ({ data }) => known.get(data),
    ...options,
  })
}
