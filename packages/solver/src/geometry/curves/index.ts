/** Everything about the shape of curves: where they go, how long they are, how to cut, turn and join them. */
export { findKinks } from './discontinuities.ts'
export { elevateDegree } from './elevate-degree.ts'
export {
  evaluate,
  evaluatePiece,
  findTangent,
  getEnd,
  getLocalDomain,
  getPoint,
  getStart,
} from './evaluate.ts'
export { evaluateNurbs } from './evaluate-nurbs.ts'
export { joinCurves } from './join.ts'
export { createNurbs, insertKnot, listDistinct, listWeighted, trimNurbs, type Weighted } from './knots.ts'
export { getLength, getParameterAtLength, listSpans } from './length.ts'
export { listPieces } from './pieces.ts'
export { isClosed, reverseCurve, splitCurve, withDomain } from './split.ts'
export { toNurbs } from './to-nurbs.ts'
