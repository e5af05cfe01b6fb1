import { BufferAttribute, type BufferGeometry, Color, DynamicDrawUsage } from 'three'
import { type ScenePart, vertexAt } from '../scene/scene-values.ts'
import { countElements, type Run, reserve } from './runs.ts'

type Numbers = Float32Array | Uint32Array | Uint8Array

/** The vertices of all bodies, or of all points, of a scene. The geometries of all looks share them. */
export interface Vertices {
  /** Replaces the vertices. `colours`: `0xrrggbbaa` for each value of the scene, 0 for none. */
  show(parts: readonly ScenePart[], colours: Uint32Array): void
  /** Replaces the colours alone: the geometries that have them need not be filled again. */
  recolour(colours: Uint32Array): void
  /** Sets the attributes of a geometry, and its index to the elements of the runs. Returns whether there are any. */
  fill(geometry: BufferGeometry, runs: readonly Run[]): boolean
}

export function createVertices(): Vertices {
  const firsts = new Map<ScenePart, number>()
  let attributes = new Map<string, BufferAttribute>()
  let vertexCount = 0

  function paintAll(colours: Uint32Array, last: BufferAttribute | undefined): void {
    if (!colours.some((colour) => colour !== 0)) return
    const create = (length: number) => new Uint8Array(length)
    const color = renew(last, { length: 4 * vertexCount, itemSize: 4, create })
    attributes.set('color', color)
    for (const [part, first] of firsts) paintVertices(color.array as Uint8Array, first, part, colours)
  }

  return {
    show(parts, colours) {
      firsts.clear()
      let count = 0
      for (const part of parts) {
        firsts.set(part, count)
        count += part.positions.length / 3
      }
      const last = attributes
      attributes = new Map()
      const floats = (length: number) => new Float32Array(length)
      const position = renew(last.get('position'), { length: 3 * count, itemSize: 3, create: floats })
      attributes.set('position', position)
      for (const [part, first] of firsts) position.array.set(part.positions, 3 * first)
      if (parts.some(({ normals }) => normals)) {
        const normal = renew(last.get('normal'), { length: 3 * count, itemSize: 3, create: floats })
        attributes.set('normal', normal)
        for (const [part, first] of firsts) if (part.normals) normal.array.set(part.normals, 3 * first)
      }
      vertexCount = count
      paintAll(colours, last.get('color'))
    },
    recolour: (colours) => paintAll(colours, attributes.get('color')),
    fill(geometry, runs) {
      const count = countElements(runs)
      if (count === 0) return false
      const index = renew(geometry.index ?? undefined, {
        length: count,
        itemSize: 1,
        create: (length) => new Uint32Array(length),
      })
      fillIndex(index.array as Uint32Array, runs, firsts)
      if ((geometry.index && index !== geometry.index) || hasOthers(geometry, attributes)) {
        // Releases the buffers that it will not have any more. Those that it shares stay: the others are bound to them, and
        // would go on drawing what is in them now.
        for (const [name, attribute] of Object.entries(geometry.attributes))
          if (attribute === attributes.get(name)) geometry.deleteAttribute(name)
        geometry.dispose()
        for (const name of Object.keys(geometry.attributes)) geometry.deleteAttribute(name)
      }
      for (const [name, attribute] of attributes)
        if (!geometry.hasAttribute(name)) geometry.setAttribute(name, attribute)
      if (index !== geometry.index) geometry.setIndex(index)
      geometry.setDrawRange(0, count)
      return true
    },
  }
}

/** Returns whether a geometry has an attribute that is not one of these. */
const hasOthers = (geometry: BufferGeometry, attributes: ReadonlyMap<string, BufferAttribute>): boolean =>
  Object.entries(geometry.attributes).some(([name, attribute]) => attributes.get(name) !== attribute)

/** Returns the last attribute, to be filled and uploaded again, if its array can be used again; otherwise a new one. */
function renew(
  last: BufferAttribute | undefined,
  { length, itemSize, create }: { length: number; itemSize: number; create: (length: number) => Numbers },
): BufferAttribute {
  const array = reserve(last?.array as Numbers | undefined, length, create)
  if (!last || array !== last.array)
    return new BufferAttribute(array, itemSize, array instanceof Uint8Array).setUsage(DynamicDrawUsage)
  last.clearUpdateRanges()
  last.addUpdateRange(0, length)
  last.needsUpdate = true
  return last
}

function fillIndex(into: Uint32Array, runs: readonly Run[], firsts: ReadonlyMap<ScenePart, number>): void {
  let at = 0
  for (const { part, from, to } of runs) {
    const first = firsts.get(part)!
    const { indices } = part
    if (indices) for (let element = from; element < to; element++) into[at++] = first + indices[element]!
    else for (let element = from; element < to; element++) into[at++] = first + element
  }
}

/** Writes the colours of values to their vertices: red, green and blue (linear), and opacity. */
function paintVertices(into: Uint8Array, first: number, part: ScenePart, colours: Uint32Array): void {
  const color = new Color()
  for (let number = 0; number < part.port.count; number++) {
    const rgba = colours[part.port.first + number]!
    if (rgba === 0) continue
    const parts = color
      .setHex(rgba >>> 8)
      .toArray()
      .map((share) => Math.round(share * 255))
    parts.push(rgba & 0xff)
    for (let element = part.starts[number]!; element < part.starts[number + 1]!; element++)
      into.set(parts, 4 * (first + vertexAt(part, element)))
  }
}
