import { findBrepHits, isClosedBrep, locateInBrep, withoutRepeats } from '../../geometry/breps/brep-hits.ts'
import type { Brep } from '../../values/brep.ts'
import { toPoint, type Xyz } from '../../values/points.ts'
import { subtract } from '../../values/vector.ts'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { item, list, named } from '../declaration/ports.ts'

const POINT = named('Point (P)', item.point)
const STRICT = named('Strict (S)', item.boolean)

export const BREP_INCLUSION: readonly Kind[] = [
  defineKind({
    guid: 'e03561f8-0e66-41d3-afde-62049f152443',
    name: 'Point In Brep',
    description: 'Whether a point is inside a closed brep; strictly, when it is not on it either.',
    inputs: { brep: named('Brep (B)', item.brep), point: POINT, isStrict: STRICT },
    outputs: { isInside: named('Inside (I)', item.boolean) },
    solve: ({ brep, point, isStrict }, context) => ({ isInside: isInside(brep, point, isStrict, context) }),
  }),
  defineKind({
    guid: '859daa86-3ab7-49cb-9eda-f2811c984070',
    name: 'Point In Breps',
    description:
      'The first of several closed breps that a point is inside of; strictly, when it is not on it either.',
    inputs: { breps: named('Brep (B)', list.brep), point: POINT, isStrict: STRICT },
    outputs: { isInside: named('Inside (I)', item.boolean), index: named('Index (i)', item.integer) },
    solve: ({ breps, point, isStrict }, context) => {
      const index = breps.findIndex((brep) => brep !== null && isInside(brep, point, isStrict, context))
      return { isInside: index >= 0, index }
    },
  }),
]

function isInside(brep: Brep, point: Xyz, isStrict: boolean, context: KindContext): boolean | undefined {
  if (!isClosedBrep(brep)) {
    context.limit('Inclusion is solved for closed breps only')
    return undefined
  }
  const position = locateInBrep(brep, point, context.tolerance)
  if (!position) context.limit('It is unclear on which side of the brep the point is')
  return position && (position === 'inside' || (position === 'on' && !isStrict))
}

export const BREP_LINES: readonly Kind[] = [
  defineKind({
    guid: 'ed0742f9-6647-4d95-9dfd-9ad17080ae9c',
    name: 'Brep | Line',
    description: 'The points of a brep on an infinite line.',
    inputs: { brep: named('Brep (B)', item.brep), line: named('Line (L)', item.line) },
    outputs: { curves: named('Curves (C)', list.curve), points: named('Points (P)', list.point) },
    solve: ({ brep, line }, context) => {
      const hits = findBrepHits(brep, line.from, subtract(line.to, line.from), context.tolerance)
      if (!hits) {
        context.limit('Lines that touch a face or lie on it are not supported')
        return {}
      }
      const distinct = withoutRepeats(hits, context.tolerance)
      if (distinct.length > 1)
        context.approximate('The points are in the order of the faces, which may be another in Rhino')
      return { curves: [], points: distinct.map(({ point }) => toPoint(point)) }
    },
  }),
]
