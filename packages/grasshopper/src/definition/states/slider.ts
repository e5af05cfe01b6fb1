import { type DataValue, encodeNumber } from '@meadow/document'
import { createChunk, createItem, ensureChunk, setItem, setItems } from '../../archive/tree/edit.ts'
import { findChunk, findItem, listItems } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { toList, toText } from '../model/coerce.ts'
import { findNumber } from './change.ts'
import { choice, double, int32, readFields, readSize, writeFields } from './fields.ts'
import type { StateKind } from './state-kind.ts'

const FIELDS = {
  minimum: double('Min'),
  maximum: double('Max', 1),
  decimals: int32('Digits', 3),
  interval: choice('Interval', ['real', 'integer', 'odd', 'even']),
}

export const SLIDER: StateKind = {
  kind: 'slider',
  classes: [CLASS.numberSlider],
  read(object, reading) {
    const slider = findChunk(object.container, 'Slider')
    if (!slider) return undefined
    const snaps = reading === 1 ? [] : listItems(slider, 'Snap', 'string').map((text) => text.toWellFormed())
    return {
      kind: 'slider',
      ...readFields(slider, FIELDS),
      ...(snaps.length > 0 ? { snaps } : {}),
      ...readSize(object),
    }
  },
  choose(container) {
    const slider = findChunk(container, 'Slider')
    const value = slider && findItem(slider, 'Value', 'double')
    return value === undefined ? [] : [toValue(value, (slider && findItem(slider, 'Interval', 'int32')) ?? 0)]
  },
  write({ container }, change) {
    const slider = ensureChunk(container, 'Slider')
    writeFields(slider, FIELDS, change)
    change.member('snaps', (value) => {
      const snaps = toList(value).map(toText)
      setItems(slider, 'string', 'Snap', snaps)
      setItem(slider, 'int32', 'SnapCount', snaps.length)
    })
    const number = findNumber(change.values?.[0])
    if (number !== undefined) setItem(slider, 'double', 'Value', number)
  },
  create: () => [
    createChunk('Slider', [
      createItem('int32', 'Digits', 3),
      createItem('int32', 'GripDisplay', 1),
      createItem('int32', 'Interval', 0),
      createItem('double', 'Max', 1),
      createItem('double', 'Min', 0),
      createItem('int32', 'SnapCount', 0),
      createItem('double', 'Value', 0),
    ]),
  ],
}

/** The interval of real numbers yields numbers, the others integers. */
function toValue(value: number, interval: number): DataValue {
  const whole = Math.round(value)
  return interval !== 0 && Number.isSafeInteger(whole)
    ? { type: 'integer', value: whole }
    : { type: 'number', value: encodeNumber(value) }
}
