import type { Brep, BrepEdge, BrepFace, BrepTrim } from '@meadow/geometry/values/brep'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { ModelFault, UnsupportedForm } from '../opennurbs/model-fault.ts'
import { readXyz } from '../opennurbs/primitives.ts'
import { TYPE } from '../opennurbs/type-codes.ts'
import { getDomain, withDomain } from './domains.ts'
import { mapTrim } from './map-trim.ts'
import { readCurve, toDomain } from './read-curve.ts'
import { type ReadSurface, readSurface } from './read-surface.ts'

interface TrimRecord {
  curve: Curve
  edge: number
  isReversed: boolean
}

/**
 * Reads a brep with its trims. Source: `ON_Brep::Read` of openNURBS, versions 3.x.
 * Fails: `ModelFault` for invalid data, and where a face has no exact NURBS form.
 */
export function readBrep(data: ChunkReader): Brep {
  const { major, minor } = data.version()
  if (major !== 3) throw new UnsupportedForm(`a brep of form ${major}`)
  const flatCurves = readObjects(data, readCurve)
  const curves = readObjects(data, readCurve)
  const surfaces = readObjects(data, readSurface)
  const vertices = readRecords(data, readVertex)
  const edges = readRecords(data, (body) => readEdge(body, curves))
  const trims = readRecords(data, (body) => readTrim(body, flatCurves))
  const loops = readRecords(data, readLoop)
  const faces = readRecords(data, readFace)
  passRest(data, minor)
  for (const { start, end } of edges) {
    getAt(vertices, start)
    getAt(vertices, end)
  }
  return {
    type: 'brep',
    vertices,
    edges,
    faces: faces.map(({ loops: indices, surface: index, isReversed }): BrepFace => {
      const surface = getAt(surfaces, index)
      return {
        surface: surface.surface,
        isReversed,
        loops: indices.map((loop) =>
          getAt(loops, loop).map((trim) => toTrim(getAt(trims, trim), surface, edges)),
        ),
      }
    }),
  }
}

/** The bounding box, render meshes, solidity and regions are derived data or not needed. */
function passRest(data: ChunkReader, minor: number): void {
  data.skip(48)
  if (minor >= 1) {
    data.chunkOf(TYPE.anonymous)
    data.chunkOf(TYPE.anonymous)
  }
  if (minor >= 2) data.skip(4)
  if (minor >= 3) data.chunkOf(TYPE.anonymous)
}

function getAt<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new ModelFault(`a place ${index} that is not there`)
  return item
}

function toTrim(
  { curve, edge, isReversed }: TrimRecord,
  surface: ReadSurface,
  edges: readonly BrepEdge[],
): BrepTrim {
  if (edge >= 0) getAt(edges, edge)
  return { curve: mapTrim(curve, surface), ...(edge >= 0 && { edge }), isReversed }
}

function readObjects<T>(data: ChunkReader, read: (body: ChunkReader) => T): T[] {
  const { body } = data.chunkOf(TYPE.anonymous)
  body.version()
  return Array.from({ length: body.count(4) }, () => {
    if (body.int32() !== 1) throw new UnsupportedForm('a brep with a part left out')
    return read(body)
  })
}

function readRecords<T>(data: ChunkReader, read: (body: ChunkReader) => T): T[] {
  const { body } = data.chunkOf(TYPE.anonymous)
  body.version()
  return Array.from({ length: body.count(4) }, () => read(body))
}

function readVertex(body: ChunkReader): Xyz {
  body.int32()
  const point = readXyz(body)
  body.int32Array()
  body.float64()
  return point
}

function readEdge(body: ChunkReader, curves: readonly Curve[]): BrepEdge {
  body.int32()
  const whole = getAt(curves, body.int32())
  const runsBackwards = body.int32() !== 0
  const part = [body.float64(), body.float64()] as const
  const [start, end] = [body.int32(), body.int32()]
  body.int32Array()
  body.float64()
  assertWholeCurve(whole, part, runsBackwards)
  return { curve: withDomain(whole, ...toDomain(body.float64(), body.float64())), start, end }
}

function readTrim(body: ChunkReader, curves: readonly Curve[]): TrimRecord {
  body.int32()
  const whole = getAt(curves, body.int32())
  const part = [body.float64(), body.float64()] as const
  const edge = body.int32()
  body.skip(8)
  const isReversed = body.int32() !== 0
  body.skip(12 + 16)
  const domain = toDomain(body.float64(), body.float64())
  const runsBackwards = body.byte() === 1
  body.skip(31 + 16)
  assertWholeCurve(whole, part, runsBackwards)
  return { curve: withDomain(whole, ...domain), edge, isReversed }
}

/**
 * openNURBS allows an edge or trim to be a part of a curve, or reversed. None of 1,600 real breps has one.
 */
function assertWholeCurve(whole: Curve, [from, to]: readonly [number, number], runsBackwards: boolean): void {
  const [start, end] = getDomain(whole)
  const near = 1e-10 * (end - start)
  const isWhole = Math.abs(from - start) <= near && Math.abs(to - end) <= near
  if (!isWhole || runsBackwards) throw new UnsupportedForm('an edge or trim that is a part of a curve')
}

function readLoop(body: ChunkReader): readonly number[] {
  body.int32()
  const trims = body.int32Array()
  body.skip(8)
  return trims
}

function readFace(body: ChunkReader): { loops: readonly number[]; surface: number; isReversed: boolean } {
  body.int32()
  const loops = body.int32Array()
  const surface = body.int32()
  const isReversed = body.int32() !== 0
  body.int32()
  return { loops, surface, isReversed }
}
