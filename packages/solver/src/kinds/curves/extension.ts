import { type Extension, extendEnd, extendStart } from '../../geometry/curves/extend.ts'
import { getLength, getParameterAtLength } from '../../geometry/curves/length.ts'
import { findSubCurve, isClosed } from '../../geometry/curves/split.ts'
import { getCurveDomain } from '../../values/curve-domain.ts'
import type { Curve } from '../../values/value.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item } from '../ports.ts'

const EXTENSIONS: readonly Extension[] = ['line', 'arc', 'smooth']

export const EXTENSION: readonly Kind[] = [
  defineKind({
    guid: '62cc9684-6a39-422e-aefa-ed44643557b9',
    description:
      'A curve made longer at its ends: straight on (0), bent on (1), or as it goes (2). Below zero, shorter.',
    inputs: { curve: item.curve, how: item.integer, start: item.number, end: item.number },
    outputs: { curve: item.curve },
    solve: ({ curve, how, start, end }, context) => {
      if (isClosed(curve, context.tolerance)) {
        context.warn('A closed curve has no ends')
        return { curve }
      }
      const kept = shorten(curve, Math.max(0, -start), Math.max(0, -end))
      const longer = kept && lengthen(kept, Math.max(0, start), Math.max(0, end), EXTENSIONS[how] ?? 'line')
      if (!longer)
        context.error(kept ? 'The curve has no direction at its end' : 'Nothing of the curve is left')
      return { curve: longer }
    },
  }),
]

function shorten(curve: Curve, atStart: number, atEnd: number): Curve | undefined {
  if (atStart === 0 && atEnd === 0) return curve
  const whole = getLength(curve)
  if (atStart + atEnd >= whole) return undefined
  const { start, end } = getCurveDomain(curve)
  const from = atStart === 0 ? start : getParameterAtLength(curve, atStart)
  return findSubCurve(curve, from, atEnd === 0 ? end : getParameterAtLength(curve, whole - atEnd))
}

function lengthen(curve: Curve, atStart: number, atEnd: number, how: Extension): Curve | undefined {
  const longer = atEnd === 0 ? curve : extendEnd(curve, atEnd, how)
  return longer && atStart > 0 ? extendStart(longer, atStart, how) : longer
}
