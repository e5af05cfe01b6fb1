import { type Node, sameMember } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { ensureChunk, setCode, setItem, setSwitch } from '../../archive/tree/edit.ts'
import { findChunk, findItem } from '../../archive/tree/find.ts'
import { samePosition } from '../compare/differences.ts'
import { toRecord, toSingle } from './coerce.ts'
import type { DefinitionObject } from './definition-object.ts'
import { toFinite } from './text.ts'

/* Where and how an object is on the canvas: its position, size, status and display. */

/** The pivot, otherwise the corner of the bounds; files of 2011 call them BBox. */
export function readPosition({ container }: DefinitionObject): Node['position'] {
  const attributes = findChunk(container, 'Attributes')
  const point = attributes && (findItem(attributes, 'Pivot', 'drawing_pointf') ?? findBox(attributes)?.box)
  return { x: toFinite(point?.x), y: toFinite(point?.y) }
}

/** Width and height in canvas units; undefined if the file does not have them. */
export function findSize({ container }: DefinitionObject): { width: number; height: number } | undefined {
  const attributes = findChunk(container, 'Attributes')
  const bounds = attributes && findBox(attributes)?.box
  return bounds && { width: toFinite(bounds.width), height: toFinite(bounds.height) }
}

interface Step {
  x: number
  y: number
}

/** Moves an object with all its drawn parts, and sets its size, if they differ. */
export function updateLayout({ container }: DefinitionObject, before: Node, after: Node): void {
  if (!samePosition(before.position, after.position)) {
    const step = { x: after.position.x - before.position.x, y: after.position.y - before.position.y }
    moveAll(container, step)
    setPosition(ensureChunk(container, 'Attributes'), after.position)
  }
  const size = after.state?.size
  if (size !== undefined && !sameMember('size', before.state?.size, size)) {
    resize(ensureChunk(container, 'Attributes'), toRecord(size))
  }
}

/** The boxes on the canvas; the last two are those of 2011. */
const BOXES = ['Bounds', 'BBox', 'ObjectBox']

/** Moves the object's own attributes and those of its ports. */
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

/** The position is the pivot, otherwise the corner of the box; an object without either gets a pivot. */
function setPosition(attributes: Chunk, position: Step): void {
  const exact = { x: toSingle(position.x), y: toSingle(position.y) }
  const found = findItem(attributes, 'Pivot', 'drawing_pointf') ? undefined : findBox(attributes)
  if (found) setItem(attributes, 'drawing_rectanglef', found.name, { ...found.box, ...exact })
  else setItem(attributes, 'drawing_pointf', 'Pivot', exact)
}

function resize(attributes: Chunk, size: Record<string, unknown>): void {
  const { name, box } = findBox(attributes) ?? { name: 'Bounds', box: undefined }
  const corner = box ?? findItem(attributes, 'Pivot', 'drawing_pointf')
  setItem(attributes, 'drawing_rectanglef', name, {
    x: corner?.x ?? 0,
    y: corner?.y ?? 0,
    width: toSingle(size.width),
    height: toSingle(size.height),
  })
}

/** The bounds of an object with their name; files of 2011 call them BBox. */
function findBox(attributes: Chunk) {
  for (const name of ['Bounds', 'BBox']) {
    const box = findItem(attributes, name, 'drawing_rectanglef')
    if (box) return { name, box }
  }
  return undefined
}

/** The items Locked and Hidden; in files of 2011, Enabled and Preview. */
export function readStatus({ container }: DefinitionObject): Node['status'] {
  const isOn = (name: string) => findItem(container, name, 'bool') ?? false
  return isOf2011(container)
    ? { isEnabled: isOn('Enabled'), isPreviewed: isOn('Preview') }
    : { isEnabled: !isOn('Locked'), isPreviewed: !isOn('Hidden') }
}

/** The items Locked and Hidden exist only if they are true; files of 2011 have Enabled and Preview instead. */
export function updateStatus(
  { container }: DefinitionObject,
  before: Node['status'],
  after: Node['status'],
): void {
  const isOld = isOf2011(container)
  if (after.isEnabled !== before.isEnabled) {
    if (isOld) setItem(container, 'bool', 'Enabled', after.isEnabled)
    else setSwitch(container, 'Locked', !after.isEnabled)
  }
  if (after.isPreviewed !== before.isPreviewed) {
    if (isOld) setItem(container, 'bool', 'Preview', after.isPreviewed)
    else setSwitch(container, 'Hidden', !after.isPreviewed)
  }
}

/** Objects of 2011 have both items; a current plug-in may use one of the names for something else. */
function isOf2011(container: Chunk): boolean {
  return ['Enabled', 'Preview'].every((name) => findItem(container, name, 'bool') !== undefined)
}

const DISPLAYS = [undefined, 'name', 'icon'] as const

export function readDisplay({ container }: DefinitionObject): Node['display'] {
  return DISPLAYS[findItem(container, 'IconDisplay', 'int32') ?? 0]
}

export function updateDisplay(
  { container }: DefinitionObject,
  before: Node['display'],
  after: Node['display'],
): void {
  if (after !== before) setCode(container, 'IconDisplay', DISPLAYS.indexOf(after))
}
