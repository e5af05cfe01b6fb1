import type { Chunk } from '../../archive/archive.ts'
import { findItem } from '../../archive/find.ts'
import { formatColour } from '../colour.ts'
import { findText } from '../text.ts'

/** Describes a value of Grasshopper that has no counterpart; undefined where its items are others. */
type Describer = (chunk: Chunk) => string | undefined

/** By the name of an item that only this kind has. */
const DESCRIBERS = new Map<string, Describer>([
  ['id', (chunk) => join('Guid', findItem(chunk, 'id', 'guid'))],
  ['LCID', (chunk) => join('Culture', findItem(chunk, 'LCID', 'int32'))],
  ['CMask', (chunk) => join('Coordinate mask', findItem(chunk, 'CMask', 'int32'))],
  ['A', describeMeshFace],
  ['diffuse', describeMaterial],
  ['LoftType', (chunk) => join('Loft options of type', findItem(chunk, 'LoftType', 'int32'))],
  ['MaxEdgeLength', () => 'Mesh settings'],
])

const MAX_NAMES = 5

/** What a value is that stands in the document as `unknown`: its kind, its class, or what items it has. */
export function describeValue(chunk: Chunk): string {
  const typeName = findText(chunk, 'TypeName')
  if (typeName) return typeName
  for (const { name } of chunk.items) {
    const description = DESCRIBERS.get(name)?.(chunk)
    if (description !== undefined) return description
  }
  const names = [...chunk.items, ...chunk.chunks].slice(0, MAX_NAMES).map(({ name }) => name.toWellFormed())
  return `Value of another kind (${names.join(', ')})`
}

function join(kind: string, fact: string | number | undefined): string | undefined {
  return fact === undefined ? undefined : `${kind} ${fact}`
}

function describeMeshFace(chunk: Chunk): string | undefined {
  const corners = ['A', 'B', 'C', 'D'].map((name) => findItem(chunk, name, 'int32'))
  return corners.includes(undefined) ? undefined : `Mesh face ${corners.join(', ')}`
}

function describeMaterial(chunk: Chunk): string | undefined {
  const colour = findItem(chunk, 'diffuse', 'drawing_color')
  return join('Material', colour === undefined ? undefined : formatColour(colour))
}
