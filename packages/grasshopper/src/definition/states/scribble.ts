import { createItem, setItem } from '../../archive/tree/edit.ts'
import { findItem } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { readPosition } from '../model/layout.ts'
import { toOffset, toPosition, writeMoved } from './drawn-points.ts'
import { flag, lines, readFields, single, text, writeFields } from './fields.ts'
import type { StateKind } from './state-kind.ts'

const FIELDS = {
  text: lines('Text'),
  font: text('Font'),
  fontSize: single('Size'),
  isBold: flag('Bold'),
  isItalic: flag('Italic'),
}

/** The items of a scribble's corners, from the top left clockwise. */
const CORNERS = ['Ca', 'Cb', 'Cc', 'Cd'] as const

export const SCRIBBLE: StateKind = {
  kind: 'scribble',
  classes: [CLASS.scribble],
  read(object) {
    const { container } = object
    const position = readPosition(object)
    const corners = CORNERS.flatMap((name) => {
      const corner = findItem(container, name, 'drawing_pointf')
      return corner ? [toOffset(corner, position)] : []
    })
    return { kind: 'scribble', ...readFields(container, FIELDS), corners }
  },
  write({ container }, change) {
    writeFields(container, FIELDS, change)
    writeMoved(change, 'corners', (corners) => {
      for (const [i, name] of CORNERS.entries()) {
        const corner = corners[i]
        if (corner !== undefined) setItem(container, 'drawing_pointf', name, toPosition(corner, change))
      }
    })
  },
  create: () => [
    createItem('bool', 'Bold', false),
    ...CORNERS.map((name) => createItem('drawing_pointf', name, { x: 0, y: 0 })),
    createItem('string', 'Font', 'Microsoft Sans Serif'),
    createItem('bool', 'Italic', false),
    createItem('single', 'Size', 25),
    createItem('string', 'Text', ''),
  ],
}
