import type { Chunk, Rectangle, Xy } from '../archive/tree/archive.ts'
import { findChunk, findItem } from '../archive/tree/find.ts'
import { quote } from './literal.ts'

/** Whether a chunk is the list of a document's objects, which the text orders by their ids. */
export const isObjectList = (chunk: Chunk): boolean =>
  chunk.name === 'DefinitionObjects' && chunk.chunks.every(({ name }) => name === 'Object')

/**
 * A key for each object, in the order of the file: its instance id, or its place as `@3` if it has none or one that an
 * object before it has.
 */
export function keyObjects(objects: readonly Chunk[]): string[] {
  const met = new Set<string>()
  return objects.map((object, at) => {
    const id = findInstanceId(object)
    if (id === undefined || met.has(id)) return `@${at}`
    met.add(id)
    return id
  })
}

export function findInstanceId(object: Chunk): string | undefined {
  const container = findChunk(object, 'Container')
  return container && findItem(container, 'InstanceGuid', 'guid')
}

/** The point that the layout of an object and its ports is written relative to. */
export function findPivot(object: Chunk): Xy | undefined {
  const container = findChunk(object, 'Container')
  const attributes = container && findChunk(container, 'Attributes')
  return attributes && findItem(attributes, 'Pivot', 'drawing_pointf')
}

/** Returns a point or rectangle relative to a pivot; undefined if that would not give the same numbers back. */
export function toRelative<P extends Xy | Rectangle>(place: P, pivot: Xy): P | undefined {
  const moved = { ...place, x: place.x - pivot.x, y: place.y - pivot.y }
  const { x, y } = fromRelative(moved, pivot)
  return Object.is(x, place.x) && Object.is(y, place.y) ? moved : undefined
}

export function fromRelative<P extends Xy | Rectangle>(place: P, pivot: Xy): P {
  return { ...place, x: Math.fround(pivot.x + place.x), y: Math.fround(pivot.y + place.y) }
}

const MOST_NAME = 60

/** Describes an object as the canvas shows it: `Number Slider "Width"`. */
export function describeObject(object: Chunk): string {
  const container = findChunk(object, 'Container')
  const name =
    findItem(object, 'Name', 'string') ?? (container && findItem(container, 'Name', 'string')) ?? ''
  const nickname = (container && findItem(container, 'NickName', 'string')) ?? ''
  const shown = plain(name)
  return nickname === '' || nickname === name ? shown : `${shown} ${quote(shorten(nickname))}`
}

/** What each id of a document's objects and ports stands for. */
export function describeIds(objects: readonly Chunk[]): Map<string, string> {
  const descriptions = new Map<string, string>()
  for (const object of objects) {
    const description = describeObject(object)
    const id = findInstanceId(object)
    const container = findChunk(object, 'Container')
    if (id !== undefined) descriptions.set(id, description)
    const parts = container
      ? [container, ...container.chunks.filter(({ name }) => name === 'ParameterData')]
      : []
    for (const port of parts.flatMap(({ chunks }) => chunks)) {
      const portId = findItem(port, 'InstanceGuid', 'guid')
      const name = findPortName(port)
      if (portId !== undefined && name !== undefined) descriptions.set(portId, `${description}, ${name}`)
    }
  }
  return descriptions
}

/** Returns the name that the canvas shows of a port; undefined if the chunk is not a port. */
export function findPortName(port: Chunk): string | undefined {
  if (!/^(?:param_input|param_output|InputParam|OutputParam)$/.test(port.name)) return undefined
  return plain(findItem(port, 'NickName', 'string') || findItem(port, 'Name', 'string') || 'port')
}

const shorten = (text: string): string => (text.length > MOST_NAME ? `${text.slice(0, MOST_NAME)}…` : text)

/** Shortens a text, and escapes characters that could end the line or hide others. */
const plain = (text: string): string => quote(shorten(text).toWellFormed()).slice(1, -1)
