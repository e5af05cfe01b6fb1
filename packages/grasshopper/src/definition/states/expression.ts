import { createItem } from '../../archive/tree/edit.ts'
import { CLASS } from '../model/class-ids.ts'
import { findText } from '../model/text.ts'
import { text, writeFields } from './fields.ts'
import type { StateKind } from './state-kind.ts'

const FIELDS = { expression: text('Expression') }

export const EXPRESSION: StateKind = {
  kind: 'expression',
  classes: [CLASS.expression],
  read: ({ container }) => ({
    kind: 'expression',
    expression: findText(container, 'Expression') ?? findText(container, 'Equation') ?? '',
  }),
  write: ({ container }, change) => writeFields(container, FIELDS, change),
  create: () => [createItem('string', 'Expression', '')],
}
