import type { Chunk } from '../../archive/tree/archive.ts'
import { createChunk, createItem, ensureChunk, setChunks, setItem } from '../../archive/tree/edit.ts'
import { findChunk, listChunks, listItems } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { toList } from '../model/coerce.ts'
import { findColour } from '../model/colour.ts'
import { readPosition } from '../model/layout.ts'
import type { Change } from './change.ts'
import { toOffset, toPosition, writeMoved } from './drawn-points.ts'
import { colour, readFields, single } from './fields.ts'
import type { StateKind } from './state-kind.ts'

const LOOK = { colour: colour('Color', 0xff000000), width: single('Width', 1) }

export const SKETCH: StateKind = {
  kind: 'sketch',
  classes: [CLASS.sketch],
  read(object) {
    const { container } = object
    const position = readPosition(object)
    const attributes = findChunk(container, 'Attributes')
    return {
      kind: 'sketch',
      lines: listChunks(container, 'Mark').map((mark) =>
        listItems(mark, 'V', 'point2d').map((point) => toOffset(point, position)),
      ),
      ...readFields(attributes && findChunk(attributes, 'SketchProperties'), LOOK),
    }
  },
  write({ container }, change) {
    const createLook = () => ensureChunk(ensureChunk(container, 'Attributes'), 'SketchProperties')
    change.member('colour', (value) => {
      if (findColour(value) !== undefined) LOOK.colour.write(createLook(), value)
    })
    change.member('width', (value) => LOOK.width.write(createLook(), value))
    writeMoved(change, 'lines', (lines) => {
      const marks = lines.map((line) => createMark(line, change))
      setChunks(container, 'Mark', marks)
      setItem(container, 'int32', 'MarkCount', marks.length)
    })
  },
  create: () => [createItem('int32', 'MarkCount', 0)],
}

function createMark(line: unknown, change: Change): Chunk {
  const points = toList(line)
  return createChunk('Mark', [
    ...points.map((point, i) => createItem('point2d', 'V', toPosition(point, change), i)),
    createItem('int32', 'VertexCount', points.length),
  ])
}
