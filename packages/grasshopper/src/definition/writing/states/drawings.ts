import type { Chunk } from '../../../archive/tree/archive.ts'
import {
  createChunk,
  createItem,
  ensureChunk,
  setChunks,
  setItem,
  setItems,
} from '../../../archive/tree/edit.ts'
import { samePosition } from '../../compare/differences.ts'
import { isGuid, toInt32, toList, toNumber, toSingle, toText, toWindowsText } from '../../model/coerce.ts'
import { findColour } from '../../model/colour.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { CORNERS } from '../../reading/states/drawing-states.ts'
import type { Change } from './change.ts'

export function updateScribble({ container }: DefinitionObject, change: Change): void {
  const { member } = change
  member('text', (text) => setItem(container, 'string', 'Text', toWindowsText(text)))
  member('font', (text) => setItem(container, 'string', 'Font', toText(text)))
  member('fontSize', (size) => setItem(container, 'single', 'Size', toSingle(size)))
  member('isBold', (value) => setItem(container, 'bool', 'Bold', value === true))
  member('isItalic', (value) => setItem(container, 'bool', 'Italic', value === true))
  withMoved(change, 'corners', (corners) => {
    for (const [i, name] of CORNERS.entries()) {
      const corner = corners[i]
      if (corner !== undefined) setItem(container, 'drawing_pointf', name, toPosition(corner, change))
    }
  })
}

export function updateSketch({ container }: DefinitionObject, change: Change): void {
  const look = () => ensureChunk(ensureChunk(container, 'Attributes'), 'SketchProperties')
  change.member('colour', (text) => {
    const colour = findColour(text)
    if (colour !== undefined) setItem(look(), 'drawing_color', 'Color', colour)
  })
  change.member('width', (width) => setItem(look(), 'single', 'Width', toSingle(width)))
  withMoved(change, 'lines', (lines) => {
    setChunks(
      container,
      'Mark',
      lines.map((line) => createLine(line, change)),
    )
    setItem(container, 'int32', 'MarkCount', lines.length)
  })
}

function createLine(line: unknown, change: Change): Chunk {
  const points = toList(line)
  return createChunk('Mark', [
    ...points.map((point, i) => createItem('point2d', 'V', toPosition(point, change), i)),
    createItem('int32', 'VertexCount', points.length),
  ])
}

/** Coordinates relative to the node's position are written if they differ or the node moved. */
function withMoved(change: Change, key: string, write: (points: unknown[]) => void): void {
  const { before, after, member } = change
  if (samePosition(before.position, after.position)) member(key, (points) => write(toList(points)))
  else write(toList(after.state?.[key]))
}

function toPosition(offset: unknown, { after }: Change): { x: number; y: number } {
  const [x, y] = toList(offset)
  return { x: Math.fround(after.position.x) + toNumber(x), y: Math.fround(after.position.y) + toNumber(y) }
}

export function updateTimer({ container }: DefinitionObject, { member }: Change): void {
  member('intervalMs', (interval) => setItem(container, 'int32', 'TimerInterval', toInt32(interval)))
  member('targetIds', (ids) => {
    const targets = toList(ids).filter(isGuid)
    setItems(container, 'guid', 'Target', targets)
    setItem(container, 'int32', 'TargetCount', targets.length)
  })
}
