import { type DataValue, readConstant } from '@meadow/document'
import { createItem } from '../../archive/tree/edit.ts'
import { CLASS } from '../model/class-ids.ts'
import { toText } from '../model/coerce.ts'
import { toWords } from './change.ts'
import { readFields, text, writeFields } from './fields.ts'
import type { StateKind } from './state-kind.ts'

const FIELDS = { normal: text('ExpressionNormal', 'False'), pressed: text('ExpressionPressed', 'True') }

/** The value is that of the released button. */
export const BUTTON: StateKind = {
  kind: 'button',
  classes: [CLASS.button],
  read: ({ container }) => ({ kind: 'button', ...readFields(container, FIELDS) }),
  choose: (container) => [readConstant(FIELDS.normal.read(container))],
  write({ container }, change) {
    const [value] = change.values ?? []
    if (value) FIELDS.normal.write(container, toExpression(value))
    writeFields(container, FIELDS, change)
  },
  create: () => [
    createItem('string', 'ExpressionNormal', 'False'),
    createItem('string', 'ExpressionPressed', 'True'),
  ],
}

/** The constant that `readConstant` reads as this value. */
function toExpression(value: DataValue): string {
  if (value.type === 'boolean') return value.value ? 'True' : 'False'
  if (value.type === 'unknown') return toText(value.value.description)
  return value.type === 'string' ? `"${toText(value.value)}"` : toWords(value)
}
