import { listPanelLines, sameJson } from '@meadow/document'
import type { Chunk } from '../../../archive/tree/archive.ts'
import { setItem } from '../../../archive/tree/edit.ts'
import { findChunk } from '../../../archive/tree/find.ts'
import { toText, toWindowsText } from '../../model/coerce.ts'
import { findColour } from '../../model/colour.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { findText } from '../../model/text.ts'
import { isMultiline } from '../../reading/values/chosen-values.ts'
import { type Change, toWords } from './change.ts'

const ALIGNMENTS = ['', 'left', 'centre', 'right']

/** The text is the panel's value. A changed text counts; otherwise changed values become the text. */
export function updatePanel({ container }: DefinitionObject, { member, values }: Change): void {
  const properties = findChunk(container, 'PanelProperties')
  const at = properties ?? container
  member('isMultiline', (value) => {
    setItem(at, 'bool', properties ? 'Multiline' : 'MultilineData', value === true)
  })
  member('text', (text) => setText(container, toText(text)))
  if (values) setValues(container, at, values.map(toWords))
  member('colour', (text) => {
    const colour = findColour(text)
    if (colour !== undefined) setItem(at, 'drawing_color', 'Colour', colour)
  })
  member('alignment', (text) => {
    setItem(at, 'int32', 'Alignment', Math.max(1, ALIGNMENTS.indexOf(String(text))))
  })
  member('wraps', (value) => setItem(at, 'bool', 'Wrap', value === true))
  member('drawsIndices', (value) => {
    setItem(at, 'bool', properties ? 'DrawIndices' : 'EntryNumbers', value === true)
  })
  member('drawsPaths', (value) => setItem(at, 'bool', 'DrawPaths', value === true))
}

function setText(container: Chunk, text: string): void {
  setItem(container, 'string', 'UserText', toWindowsText(text))
}

/** Several values are lines, so a panel with one value becomes one with a value for each line. */
function setValues(container: Chunk, at: Chunk, values: readonly string[]): void {
  const current = listPanelLines(findText(container, 'UserText') ?? '', isMultiline(container))
  if (sameJson(current, values)) return
  const [only = '', ...others] = values
  const isOne = others.length === 0
  if (isOne !== isMultiline(container) && (!isOne || only.includes('\n'))) {
    setItem(at, 'bool', at === container ? 'MultilineData' : 'Multiline', isOne)
  }
  const isLast = isOne && isMultiline(container)
  setText(container, values.join('\n') + (!isLast && values.at(-1) === '' ? '\n' : ''))
}
