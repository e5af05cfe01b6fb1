import { getPoint } from '@meadow/geometry/curves/evaluate'
import { getLength, getParameterAtLength } from '@meadow/geometry/curves/length'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { type Point, toPoint } from '@meadow/geometry/values/points'
import type { Curve, Opaque, Value } from '@meadow/geometry/values/value'
import { distance } from '@meadow/geometry/values/vector'
import { countValues, mapValues, type Tree } from '../../tree/tree.ts'
import { defineParameter, type ParameterKind, type RunContext } from '../declaration/define-kind.ts'
import { findOption } from '../declaration/options.ts'
import { GRAPH_MAPPER } from './graph-mapper.ts'

type Data = Tree<Value | null>

/** Parameters that compute with settings of their own (rules I-2 to I-5). */
export const PARAMETERS_WITH_SETTINGS: readonly ParameterKind[] = [
  GRAPH_MAPPER,
  defineParameter({
    guid: '401aa475-997a-4139-991d-f980ffdcf908',
    description: 'Records data over time. A solve is the first recording, as after a document is opened.',
    options: { recordData: 'boolean', dataLimit: 'number' },
    change: record,
  }),
  defineParameter({
    guid: 'd69a3494-785b-4beb-969b-d2373f65abfd',
    description: 'Looks up colours in a picture. Without data there are none; with data it is not supported.',
    change: (data, context) => {
      if (countValues(data) > 0) context.limit('The picture of an Image Sampler is not in the document')
      return data
    },
  }),
  defineParameter({
    guid: '7f6a9d34-0470-4bb7-aadd-07496bcbe572',
    description: 'The point on a curve at the position of the node, from 0 at its start to 1 at its end.',
    type: 'curve',
    options: { parameter: 'number' },
    change: (data, context) =>
      mapValues(data, (value) => (value === null ? null : placePoint(value as Curve | Opaque, context))),
  }),
]

/** A recorder that is paused shows earlier recordings, which are not in the file. */
function record(data: Data, context: RunContext): Data {
  const isRecording = findOption<boolean>(context.node, 'recordData', 'boolean') ?? true
  const limit = findOption<number>(context.node, 'dataLimit', 'number') ?? 0
  if (!isRecording) context.limit('The recorder is paused, and the document does not have its recordings')
  else if (limit > 0 && countValues(data) > limit) {
    context.limit(`The recorder keeps ${limit} values, and which ones is not published`)
  } else if (countValues(data) > 0) {
    context.approximate('The recorder shows this solution alone, as after the document was opened')
  }
  return data
}

/** Points closer than this part of the length of a curve are the same. */
const SAME_POINT = 1e-9

/**
 * Whether the position of Point On Curve is a share of the length or of the domain is not published, so it is a limit
 * where the two are different points.
 */
function placePoint(curve: Curve | Opaque, context: RunContext): Point | null {
  if (curve.type === 'opaque') {
    context.limit('The curve is not in the document')
    return null
  }
  const position = findOption<number>(context.node, 'parameter', 'number') ?? 0.5
  const length = getLength(curve)
  const { start, end } = getCurveDomain(curve)
  const byDomain = getPoint(curve, start + position * (end - start))
  if (position === 0 || position === 1) return toPoint(byDomain)
  const byLength = getPoint(curve, getParameterAtLength(curve, position * length))
  if (!(distance(byDomain, byLength) <= SAME_POINT * length)) {
    context.limit('Point On Curve is supported only where parameters of the curve are evenly spread')
    return null
  }
  return toPoint(byLength)
}
