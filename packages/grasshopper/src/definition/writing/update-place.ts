import type { Node } from '@meadow/document'
import type { Chunk } from '../../archive/archive.ts'
import { ensureChunk, setItem } from '../../archive/edit.ts'
import { findItem } from '../../archive/find.ts'
import { samePosition } from '../compare/differences.ts'
import { sameMember } from '../compare/same-state.ts'
import type { DefinitionObject } from '../objects/definition-object.ts'
import { toRecord, toSingle } from './coerce.ts'

interface Step {
  x: number
  y: number
}

/** Moves an object with all that is drawn of it, and gives it its size, where they differ. */
export function updatePlace({ container }: DefinitionObject, before: Node, after: Node): void {
  if (!samePosition(before.position, after.position)) {
    const step = { x: after.position.x - before.position.x, y: after.position.y - before.position.y }
    moveAll(container, step)
    placeExactly(ensureChunk(container, 'Attributes'), after.position)
  }
  const size = after.state?.size
  if (size !== undefined && !sameMember('size', before.state?.size, size)) {
    resize(ensureChunk(container, 'Attributes'), toRecord(size))
  }
}

/** What tells a place on the canvas; the last two in 2011. */
const BOXES = ['Bounds', 'BBox', 'ObjectBox']

/** The object's own attributes and those of its ports, wherever they are. */
function moveAll(chunk: Chunk, step: Step): void {
  if (chunk.name === 'Attributes') move(chunk, step)
  for (const child of chunk.chunks) moveAll(child, step)
}

function move(attributes: Chunk, step: Step): void {
  const shift = ({ x, y }: Step) => ({ x: toSingle(x + step.x), y: toSingle(y + step.y) })
  const pivot = findItem(attributes, 'Pivot', 'drawing_pointf')
  if (pivot) setItem(attributes, 'drawing_pointf', 'Pivot', shift(pivot))
  for (const name of BOXES) {
    const box = findItem(attributes, name, 'drawing_rectanglef')
    if (box) setItem(attributes, 'drawing_rectanglef', name, { ...box, ...shift(box) })
  }
}

/** The position is the pivot, else the corner of the box; what has neither gets a pivot. */
function placeExactly(attributes: Chunk, position: Step): void {
  const exact = { x: toSingle(position.x), y: toSingle(position.y) }
  const name = findItem(attributes, 'Pivot', 'drawing_pointf') ? undefined : findBoxName(attributes)
  const box = name === undefined ? undefined : findItem(attributes, name, 'drawing_rectanglef')
  if (name !== undefined && box) setItem(attributes, 'drawing_rectanglef', name, { ...box, ...exact })
  else setItem(attributes, 'drawing_pointf', 'Pivot', exact)
}

function findBoxName(attributes: Chunk): string | undefined {
  return ['Bounds', 'BBox'].find((name) => findItem(attributes, name, 'drawing_rectanglef'))
}

function resize(attributes: Chunk, size: Record<string, unknown>): void {
  const name = findBoxName(attributes) ?? 'Bounds'
  const corner =
    findItem(attributes, name, 'drawing_rectanglef') ?? findItem(attributes, 'Pivot', 'drawing_pointf')
  setItem(attributes, 'drawing_rectanglef', name, {
    x: corner?.x ?? 0,
    y: corner?.y ?? 0,
    width: toSingle(size.width),
    height: toSingle(size.height),
  })
}
