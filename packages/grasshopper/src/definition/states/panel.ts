import { listPanelLines, sameJson } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { createChunk, createItem, setItem } from '../../archive/tree/edit.ts'
import { findChunk, findItem } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { toWindowsText } from '../model/coerce.ts'
import { findText } from '../model/text.ts'
import { toWords } from './change.ts'
import { colour, type Field, flag, lines, readFields, readSize, writeFields } from './fields.ts'
import type { StateKind } from './state-kind.ts'

const ALIGNMENTS = ['left', 'left', 'centre', 'right'] as const
/** The colour of a new panel, 0xAARRGGBB. */
const PANEL_COLOUR = 0xfffffa5a

const ALIGNMENT: Field<(typeof ALIGNMENTS)[number]> = {
  read: (chunk) => ALIGNMENTS[(chunk && findItem(chunk, 'Alignment', 'int32')) ?? 0] ?? 'left',
  write(chunk, value) {
    const words: readonly string[] = ALIGNMENTS
    setItem(chunk, 'int32', 'Alignment', Math.max(1, words.indexOf(String(value))))
  },
}

const TEXT = { text: lines('UserText') }
const LOOK = { colour: colour('Colour', PANEL_COLOUR), alignment: ALIGNMENT, wraps: flag('Wrap', true) }

/** Panels of 2011 have their switches in the Container, some of them under other names. */
function locate(container: Chunk) {
  const properties = findChunk(container, 'PanelProperties')
  const isOld = properties === undefined
  const switches = {
    drawsIndices: flag(isOld ? 'EntryNumbers' : 'DrawIndices', true),
    drawsPaths: flag('DrawPaths', true),
  }
  return { at: properties ?? container, multiline: flag(isOld ? 'MultilineData' : 'Multiline'), switches }
}

/** The text is the panel's value. A changed text counts; otherwise changed values become the text. */
export const PANEL: StateKind = {
  kind: 'panel',
  classes: [CLASS.panel],
  read(object) {
    const { container } = object
    const { at, switches } = locate(container)
    return {
      kind: 'panel',
      ...readFields(container, TEXT),
      isMultiline: isMultiline(container),
      ...readFields(at, { ...LOOK, ...switches }),
      ...readSize(object),
    }
  },
  choose(container) {
    const texts = listPanelLines(findText(container, 'UserText') ?? '', isMultiline(container))
    return texts.map((value) => ({ type: 'string', value }))
  },
  write({ container }, change) {
    const { at, multiline, switches } = locate(container)
    writeFields(at, { isMultiline: multiline }, change)
    writeFields(container, TEXT, change)
    if (change.values) setValues(container, change.values.map(toWords))
    writeFields(at, { ...LOOK, ...switches }, change)
  },
  create: () => [
    createItem('double', 'ScrollRatio', 0),
    createItem('string', 'UserText', ''),
    createChunk('PanelProperties', [
      createItem('drawing_color', 'Colour', PANEL_COLOUR),
      createItem('bool', 'DrawIndices', true),
      createItem('bool', 'DrawPaths', true),
      createItem('bool', 'Multiline', true),
      createItem('bool', 'SpecialCodes', false),
      createItem('bool', 'Stream', false),
      createItem('bool', 'Wrap', true),
    ]),
  ],
}

function isMultiline(container: Chunk): boolean {
  const properties = findChunk(container, 'PanelProperties')
  const now = properties && findItem(properties, 'Multiline', 'bool')
  return now ?? findItem(container, 'MultilineData', 'bool') ?? true
}

/** Several values are lines, so a panel with one value becomes one with a value for each line. */
function setValues(container: Chunk, values: readonly string[]): void {
  const current = listPanelLines(findText(container, 'UserText') ?? '', isMultiline(container))
  if (sameJson(current, values)) return
  const [only = '', ...others] = values
  const isOne = others.length === 0
  if (isOne !== isMultiline(container) && (!isOne || only.includes('\n'))) {
    const { at, multiline } = locate(container)
    multiline.write(at, isOne)
  }
  const isLast = isOne && isMultiline(container)
  const text = values.join('\n') + (!isLast && values.at(-1) === '' ? '\n' : '')
  setItem(container, 'string', 'UserText', toWindowsText(text))
}
