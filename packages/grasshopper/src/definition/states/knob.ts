import { createChunk, createItem, ensureChunk } from '../../archive/tree/edit.ts'
import { findChunk, findItem } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { findNumber } from './change.ts'
import { decimal, flag, int32, readFields, writeFields } from './fields.ts'
import type { StateKind } from './state-kind.ts'

const DECIMALS = { decimals: int32('Decimals', 3) }
const RANGE = { minimum: decimal('Minimum'), maximum: decimal('Maximum') }
const TURN = { range: decimal('Range'), isLimited: flag('Limit') }

export const KNOB: StateKind = {
  kind: 'knob',
  classes: [CLASS.controlKnob],
  read({ container }) {
    const dial = findChunk(container, 'DialData')
    return dial && { kind: 'knob', ...readFields(dial, { ...RANGE, ...DECIMALS, ...TURN }) }
  },
  choose(container) {
    const dial = findChunk(container, 'DialData')
    const value = dial && findItem(dial, 'Value', 'decimal')
    return value === undefined ? [] : [{ type: 'number', value: Number(value) }]
  },
  write({ container }, change) {
    const dial = ensureChunk(container, 'DialData')
    writeFields(dial, { ...DECIMALS, ...RANGE, ...TURN }, change)
    const number = findNumber(change.values?.[0])
    if (number !== undefined) decimal('Value').write(dial, number)
  },
  create: () => [
    createChunk('DialData', [
      createItem('int32', 'Decimals', 3),
      createItem('bool', 'Limit', false),
      createItem('decimal', 'Maximum', '1'),
      createItem('decimal', 'Minimum', '0'),
      createItem('decimal', 'Range', '1'),
      createItem('decimal', 'Value', '0'),
    ]),
  ],
}
