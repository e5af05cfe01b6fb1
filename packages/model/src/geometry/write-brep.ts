import type { Brep, BrepEdge } from '@meadow/geometry/values/brep'
import type { ChunkWriter } from '../opennurbs/chunk-writer.ts'
import { CLASS, NIL_ID } from '../opennurbs/class-ids.ts'
import { writeObject } from '../opennurbs/object-chunk.ts'
import { writeUnknownBox, writeXyz } from '../opennurbs/primitives.ts'
import { TYPE } from '../opennurbs/type-codes.ts'
import { createTopology, type IndexedLoop, type IndexedTrim } from './brep-topology.ts'
import { getDomain } from './domains.ts'
import { findIso } from './find-iso.ts'
import { writeCurve } from './write-curve.ts'
import { writeSurface } from './write-surface.ts'

/**
 * Writes a brep with its trims, which rhino3dm cannot create in JavaScript.
 * Source: `ON_Brep::Write` of openNURBS, version 3.3. Fails: `ModelFault` for indices out of range.
 */
export function writeBrep(writer: ChunkWriter, brep: Brep): void {
  const { loops, trims, edgeTrims, vertexEdges } = createTopology(brep)
  const { vertices, edges, faces } = brep
  writeObject(writer, CLASS.brep, () => {
    writer.byte(0x33)
    writeObjects(writer, trims, ({ trim }) => writeCurve(writer, trim.curve, 2))
    writeObjects(writer, edges, ({ curve }) => writeCurve(writer, curve))
    writeObjects(writer, faces, ({ surface }) => writeSurface(writer, surface))
    writeRecords(writer, vertices, (vertex, i) => {
      writer.int32(i)
      writeXyz(writer, vertex)
      writer.int32Array(vertexEdges[i]!)
      writer.float64(0)
    })
    writeRecords(writer, edges, (edge, i) => {
      writeEdge(writer, edge, i, edgeTrims[i]!)
    })
    writeRecords(writer, trims, (trim, i) => {
      writeTrim(writer, brep, trim, i)
    })
    writeRecords(writer, loops, (loop, i) => {
      writeLoop(writer, loop, i)
    })
    writeFaces(writer, brep, loops)
    writeUnknownBox(writer)
    writeAbsentMeshes(writer, faces.length)
    writeAbsentMeshes(writer, faces.length)
    writer.int32(0)
    writer.chunk(TYPE.anonymous, () => {
      writer.int32(1)
      writer.int32(1)
      writer.byte(0)
    })
  })
}

/** Writes an array of objects without gaps. */
function writeObjects<T>(writer: ChunkWriter, items: readonly T[], write: (item: T) => void): void {
  writer.chunk(TYPE.anonymous, () => {
    writer.byte(0x10)
    writer.int32(items.length)
    for (const item of items) {
      writer.int32(1)
      write(item)
    }
  })
}

function writeRecords<T>(
  writer: ChunkWriter,
  items: readonly T[],
  write: (item: T, index: number) => void,
): void {
  writer.chunk(TYPE.anonymous, () => {
    writer.byte(0x10)
    writer.int32(items.length)
    items.forEach(write)
  })
}

function writeEdge(writer: ChunkWriter, edge: BrepEdge, index: number, trims: readonly number[]): void {
  const domain = getDomain(edge.curve)
  writer.int32(index)
  writer.int32(index)
  writer.int32(0)
  writer.float64(...domain)
  writer.int32(edge.start)
  writer.int32(edge.end)
  writer.int32Array(trims)
  writer.float64(0)
  writer.float64(...domain)
}

function writeTrim(
  writer: ChunkWriter,
  brep: Brep,
  { trim, face, loop, vertices, kind }: IndexedTrim,
  index: number,
) {
  const domain = getDomain(trim.curve)
  writer.int32(index)
  writer.int32(index)
  writer.float64(...domain)
  writer.int32(trim.edge ?? -1)
  writer.int32(vertices[0])
  writer.int32(vertices[1])
  writer.int32(trim.isReversed ? 1 : 0)
  writer.int32(kind)
  writer.int32(findIso(trim.curve, brep.faces[face]!.surface))
  writer.int32(loop)
  writer.float64(0, 0)
  writer.float64(...domain)
  writer.bytes(new Uint8Array(32))
  writer.float64(0, 0)
}

function writeLoop(writer: ChunkWriter, { trims, isOuter, face }: IndexedLoop, index: number): void {
  writer.int32(index)
  writer.int32Array(trims)
  writer.int32(isOuter ? 1 : 2)
  writer.int32(face)
}

function writeFaces(writer: ChunkWriter, { faces }: Brep, loops: readonly IndexedLoop[]): void {
  writer.chunk(TYPE.anonymous, () => {
    writer.byte(0x11)
    writer.int32(faces.length)
    faces.forEach((face, i) => {
      writer.int32(i)
      writer.int32Array(loops.flatMap((loop, index) => (loop.face === i ? [index] : [])))
      writer.int32(i)
      writer.int32(face.isReversed ? 1 : 0)
      writer.int32(0)
    })
    for (const _ of faces) writer.uuid(NIL_ID)
  })
}

/** Writes that the faces have no render meshes. */
function writeAbsentMeshes(writer: ChunkWriter, faces: number): void {
  writer.chunk(TYPE.anonymous, () => writer.bytes(new Uint8Array(faces)))
}
