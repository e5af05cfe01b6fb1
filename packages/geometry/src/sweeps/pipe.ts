import { createBrepBuilder } from '../breps/brep-builder.ts'
import { simplify } from '../breps/planar-face.ts'
import { findKinks } from '../curves/discontinuities.ts'
import { findTangent, getEnd, getStart } from '../curves/evaluate.ts'
import { listPieces } from '../curves/pieces.ts'
import { isClosed, splitCurve } from '../curves/split.ts'
import { createBetween } from '../surfaces/ruled.ts'
import type { Brep } from '../values/brep.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Xyz } from '../values/points.ts'
import { type Curve, domain } from '../values/value.ts'
import { add, distance, dot, findUnit, scale } from '../values/vector.ts'
import { addCap, createBentTube, createSectionCurve, slideSectionCurve } from './pipe-parts.ts'

export type PipeCaps = 'none' | 'flat' | 'round'

export type PipeFault = 'no length' | 'turns back'

/**
 * A pipe around a curve. Straight parts and arcs are exact, with mitres between straight parts; around other
 * curves the pipe is skinned through section curves, within the tolerance. At kinks of bent parts the pipe is
 * split.
 */
export function createPipe(
  rail: Curve,
  radius: number,
  caps: PipeCaps,
  tolerance: number,
): Brep[] | PipeFault {
  const isLoop = isClosed(rail)
  const chains = groupParts(listParts(rail), isLoop)
  if (chains.length === 0) return 'no length'
  const tubes: Brep[] = []
  for (const { parts, isRound } of chains) {
    const tube = createChain(parts, isRound, radius, isRound ? 'none' : caps, tolerance)
    if (typeof tube === 'string') return tube
    tubes.push(tube)
  }
  return tubes
}

/** Splits a rail into lines, arcs and smooth NURBS curves. */
function listParts(rail: Curve): Curve[] {
  const seams = listPieces(rail).map(({ start }) => start)
  return splitCurve(rail, [...findKinks(rail), ...seams])
    .map(simplify)
    .filter(hasLength)
}

function hasLength(part: Curve): boolean {
  return findTangent(part, getCurveDomain(part).start) !== undefined
}

/** The smallest cosine of half the angle at a mitre; below it the mitre would be too long. */
const MIN_MITRE = 1e-3

interface Chain {
  readonly parts: readonly Curve[]
  /** The last part continues with the first. */
  readonly isRound: boolean
}

/** Groups parts whose tubes connect: smooth continuations, and straight parts. */
function groupParts(parts: readonly Curve[], isLoop: boolean): Chain[] {
  const isLinked = parts.map((part, i) => fitTogether(part, parts[(i + 1) % parts.length] as Curve))
  if (isLoop && isLinked.every(Boolean)) return parts.length > 0 ? [{ parts, isRound: true }] : []
  // A loop with a break starts after it.
  const first = isLoop ? isLinked.indexOf(false) + 1 : 0
  const chains: Curve[][] = []
  for (let i = 0; i < parts.length; i++) {
    const index = (first + i) % parts.length
    const isNew = i === 0 || !isLinked.at(index - 1)
    if (isNew) chains.push([])
    chains.at(-1)?.push(parts[index] as Curve)
  }
  return chains.map((chain) => ({ parts: chain, isRound: false }))
}

const SMOOTH = Math.cos(Math.PI / 180)

function fitTogether(part: Curve, next: Curve): boolean {
  if (part.type === 'line' && next.type === 'line') return true
  const [out, back] = [
    findTangent(next, getCurveDomain(next).start),
    findTangent(part, getCurveDomain(part).end, 'below'),
  ]
  return out !== undefined && back !== undefined && dot(out, back) > SMOOTH
}

function createChain(
  parts: readonly Curve[],
  isRound: boolean,
  radius: number,
  caps: PipeCaps,
  tolerance: number,
): Brep | PipeFault {
  const builder = createBrepBuilder(tolerance)
  const directions = parts.map((part) => findTangent(part, getCurveDomain(part).start) as Xyz)
  const [first, lastPart] = [parts[0] as Curve, parts.at(-1) as Curve]
  const direction = directions[0] as Xyz
  let section = createSectionCurve(getStart(first), direction, radius)
  if (isRound && first.type === 'line' && lastPart.type === 'line') {
    const mitre = findUnit(add(direction, directions.at(-1) as Xyz))
    if (!mitre || dot(mitre, direction) < MIN_MITRE) return 'turns back'
    section = slideSectionCurve(section, direction, getStart(first), mitre)
  }
  const start = section
  for (const [i, part] of parts.entries()) {
    const next = directions[i + 1] ?? (isRound ? direction : undefined)
    if (part.type === 'line') {
      const along = directions[i] as Xyz
      const mitre = next ? findUnit(add(along, next)) : along
      if (!mitre || dot(mitre, along) < MIN_MITRE) return 'turns back'
      const end = slideSectionCurve(section, along, getEnd(part), mitre)
      builder.addSurface(createBetween(section, end, domain(0, distance(getStart(part), getEnd(part)))))
      section = end
    } else {
      const tube = createBentTube(part, section, isRound && parts.length === 1, tolerance)
      builder.addSurface(tube.surface)
      section = tube.end
    }
  }
  if (caps !== 'none') {
    const { end } = getCurveDomain(lastPart)
    addCap(builder, start, getStart(first), scale(direction, -1), radius, caps)
    addCap(builder, section, getEnd(lastPart), findTangent(lastPart, end, 'below') as Xyz, radius, caps)
  }
  return builder.build()
}
