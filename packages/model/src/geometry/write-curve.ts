import type { Arc, Circle, Line, NurbsCurve, PolyCurve, Rectangle } from '@meadow/geometry/values/curves'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import type { ChunkWriter } from '../opennurbs/chunk-writer.ts'
import { CLASS } from '../opennurbs/class-ids.ts'
import { writeObject } from '../opennurbs/object-chunk.ts'
import { writePlane, writeUnknownBox, writeXyz } from '../opennurbs/primitives.ts'
import { getDomain, withDomain } from './domains.ts'
import { pointAt } from './xyz.ts'

/** 3 for curves in space, 2 for curves in the parameters of a surface, where z is ignored. */
export type Dimension = 2 | 3

export function writeCurve(writer: ChunkWriter, curve: Curve, dimension: Dimension = 3): void {
  switch (curve.type) {
    case 'line':
      writeLine(writer, curve, dimension)
      break
    case 'polyline':
      writePolyline(writer, curve.vertices, getDomain(curve), dimension)
      break
    case 'rectangle':
      writePolyline(writer, listCorners(curve), getDomain(curve), dimension)
      break
    case 'circle':
    case 'arc':
      writeArc(writer, curve, dimension)
      break
    case 'nurbsCurve':
      writeNurbsCurve(writer, curve, dimension)
      break
    case 'polyCurve':
      writePolyCurve(writer, curve, dimension)
      break
  }
}

/** The four corners, and the first one again. */
function listCorners({ plane, x, y }: Rectangle): Xyz[] {
  const corners = [
    [x.start, y.start],
    [x.end, y.start],
    [x.end, y.end],
    [x.start, y.end],
    [x.start, y.start],
  ] as const
  return corners.map(([u, v]) => pointAt(plane, u, v))
}

function writeLine(writer: ChunkWriter, line: Line, dimension: Dimension): void {
  writeObject(writer, CLASS.lineCurve, () => {
    writer.byte(0x10)
    writeXyz(writer, line.from)
    writeXyz(writer, line.to)
    writer.float64(...getDomain(line))
    writer.int32(dimension)
  })
}

function writePolyline(
  writer: ChunkWriter,
  vertices: readonly Xyz[],
  [start, end]: readonly [number, number],
  dimension: Dimension,
): void {
  const last = vertices.length - 1
  writeObject(writer, CLASS.polylineCurve, () => {
    writer.byte(0x10)
    writer.int32(vertices.length)
    for (const vertex of vertices) writeXyz(writer, vertex)
    writer.float64Array(vertices.map((_, i) => (i === last ? end : start + ((end - start) * i) / last)))
    writer.int32(dimension)
  })
}

/** openNURBS stores three points of the circle besides its plane and radius, but reads only these two. */
function writeArc(writer: ChunkWriter, arc: Circle | Arc, dimension: Dimension): void {
  const { plane, radius } = arc
  const angles = arc.type === 'arc' ? [arc.startAngle, arc.endAngle] : [0, 2 * Math.PI]
  writeObject(writer, CLASS.arcCurve, () => {
    writer.byte(0x10)
    writePlane(writer, plane)
    writer.float64(radius)
    for (const angle of [0, Math.PI / 2, Math.PI]) {
      writeXyz(writer, pointAt(plane, radius * Math.cos(angle), radius * Math.sin(angle)))
    }
    writer.float64(...angles)
    writer.float64(...getDomain(arc))
    writer.int32(dimension)
  })
}

function writeNurbsCurve(writer: ChunkWriter, curve: NurbsCurve, dimension: Dimension): void {
  const { degree, points, weights, knots } = curve
  writeObject(writer, CLASS.nurbsCurve, () => {
    writer.byte(0x11)
    writer.int32(dimension)
    writer.int32(weights ? 1 : 0)
    writer.int32(degree + 1)
    writer.int32(points.length)
    writer.int32(0)
    writer.int32(0)
    writeUnknownBox(writer)
    writer.float64Array(knots)
    writer.int32(points.length)
    points.forEach((point, i) => {
      writeControlPoint(writer, point, weights?.[i], dimension)
    })
    writer.byte(0)
  })
}

/** Writes a control point, multiplied by its weight and followed by it if there is one. */
export function writeControlPoint(
  writer: ChunkWriter,
  { x, y, z }: Xyz,
  weight: number | undefined,
  dimension: Dimension = 3,
): void {
  const factor = weight ?? 1
  writer.float64(x * factor, y * factor)
  if (dimension === 3) writer.float64(z * factor)
  if (weight !== undefined) writer.float64(weight)
}

function writePolyCurve(writer: ChunkWriter, curve: PolyCurve, dimension: Dimension): void {
  const { segments } = curve
  const parameters = listParameters(curve)
  writeObject(writer, CLASS.polyCurve, () => {
    writer.byte(0x10)
    writer.int32(segments.length)
    writer.int32(0)
    writer.int32(0)
    writeUnknownBox(writer)
    writer.float64Array(parameters)
    segments.forEach((segment, i) => {
      writeCurve(writer, withDomain(segment, parameters[i]!, parameters[i + 1]!), dimension)
    })
  })
}

/** The start parameter of each segment, and the end of the last, scaled to the domain of the polycurve. */
function listParameters(curve: PolyCurve): number[] {
  const [start, end] = getDomain(curve)
  const sums = [0]
  for (const segment of curve.segments) {
    const [from, to] = getDomain(segment)
    sums.push(sums.at(-1)! + to - from)
  }
  const total = sums.at(-1)!
  return sums.map((sum) => (sum === total ? end : start + (sum / total) * (end - start)))
}
