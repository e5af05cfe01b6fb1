import { interpolatePoints } from '../../geometry/curves/interpolate-points.ts'
import { getLength } from '../../geometry/curves/length.ts'
import { createPolyCurve } from '../../geometry/curves/segments.ts'
import { getCurveDomain } from '../../values/curve-domain.ts'
import { line, polyline } from '../../values/curves.ts'
import type { Xyz } from '../../values/points.ts'
import type { Curve } from '../../values/value.ts'
import { areEqual, cross, dot, length, subtract } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, present } from '../ports.ts'

export const KINKY: readonly Kind[] = [
  defineKind({
    guid: '6f0993e8-5f2f-4fc0-bd73-b84bc240e78e',
    description: 'A smooth curve through points, but for those where the way turns by more than an angle.',
    inputs: { vertices: list.point, degree: item.integer, angle: item.number },
    outputs: { curve: item.curve, length: item.number, domain: item.domain },
    solve: ({ vertices, degree, angle }, context) => {
      const points = present(vertices).map(({ x, y, z }): Xyz => ({ x, y, z }))
      const hasRepeats = points.some((point, i) => i > 0 && areEqual(point, points[i - 1] as Xyz))
      if (points.length < 2 || hasRepeats || (degree !== 1 && degree !== 3)) {
        context.error(
          'A kinky curve needs two or more points, no two in a row the same, and a degree of 1 or 3',
        )
        return {}
      }
      const curve = createPolyCurve(listRuns(points, angle).map((run) => connect(run, degree)))
      return { curve, length: getLength(curve), domain: getCurveDomain(curve) }
    },
  }),
]

/** The points from kink to kink; the kinks belong to both runs. */
function listRuns(points: readonly Xyz[], angle: number): Xyz[][] {
  const runs: Xyz[][] = [points.slice(0, 1)]
  for (const [i, point] of points.entries()) {
    if (i === 0) continue
    runs.at(-1)?.push(point)
    const next = points[i + 1]
    if (next && getTurn(points[i - 1] as Xyz, point, next) > angle + 1e-12) runs.push([point])
  }
  return runs
}

function getTurn(before: Xyz, at: Xyz, after: Xyz): number {
  const [arriving, leaving] = [subtract(at, before), subtract(after, at)]
  return Math.atan2(length(cross(arriving, leaving)), dot(arriving, leaving))
}

function connect(run: readonly Xyz[], degree: number): Curve {
  const [from, to] = run as [Xyz, Xyz]
  if (run.length === 2) return line(from, to)
  return degree === 1 ? polyline(run) : interpolatePoints(run, 'uniform')
}
