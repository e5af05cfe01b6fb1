import { type DataValue, decodeNumber, encodeNumber, type Xyz } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { createItem, setItem } from '../../archive/tree/edit.ts'
import { findItem } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { toNumber } from '../model/coerce.ts'
import { interval, readFields, readSize } from './fields.ts'
import type { StateKind } from './state-kind.ts'

const FIELDS = { x: interval('x_domain'), y: interval('y_domain'), z: interval('z_domain') }
const AXES = ['x', 'y', 'z'] as const

/** The file holds the position of the grip, from 0 to 1 on each axis, which changes with the range of an axis. */
export const MD_SLIDER: StateKind = {
  kind: 'mdSlider',
  classes: [CLASS.mdSlider],
  read: (object) => ({
    kind: 'mdSlider',
    ...readFields(object.container, FIELDS),
    ...readSize(object),
  }),
  /** A value has no more digits than the position of the grip determines. */
  choose(container) {
    const grip = findItem(container, 'slider_value', 'point3d')
    if (!grip) return []
    const [x = 0, y = 0, z = 0] = AXES.map((axis) => {
      const { a, b } = findRange(container, axis)
      return encodeNumber(roundIn(a, b, a + (b - a) * grip[axis]))
    })
    return [{ type: 'point', value: [x, y, z] }]
  },
  write({ container }, { member, values, after }) {
    let hasMoved = values !== undefined
    for (const axis of AXES) {
      member(axis, (range) => {
        FIELDS[axis].write(container, range)
        hasMoved = true
      })
    }
    const chosen = values ?? after.values[after.instanceId]?.branches[0]?.values
    const point = findPoint(chosen?.[0])
    if (hasMoved && point) setGrip(container, point)
  },
  create: () => [
    createItem('int32', 'SliderMode', 1),
    createItem('point3d', 'slider_value', { x: 0, y: 0, z: 0 }),
    ...AXES.map((axis) => createItem('interval1d', `${axis}_domain`, { a: 0, b: 1 })),
  ],
}

const findRange = (container: Chunk, axis: (typeof AXES)[number]) =>
  findItem(container, `${axis}_domain`, 'interval1d') ?? { a: 0, b: 1 }

const GRIP_DIGITS = 12

function roundIn(a: number, b: number, value: number): number {
  const magnitude = Math.ceil(Math.log10(Math.max(Math.abs(a), Math.abs(b), Number.MIN_VALUE)))
  const decimals = GRIP_DIGITS - magnitude
  return decimals >= 0 && decimals <= 100 ? Number(value.toFixed(decimals)) : value
}

function findPoint(value: DataValue | null | undefined): Xyz | undefined {
  return value?.type === 'point' ? value.value : undefined
}

function setGrip(container: Chunk, point: Xyz): void {
  const [x, y, z] = AXES.map((axis, i) => {
    const { a, b } = findRange(container, axis)
    return a === b ? 0 : (decodeNumber(point[i] ?? 0) - a) / (b - a)
  })
  setItem(container, 'point3d', 'slider_value', { x: toNumber(x), y: toNumber(y), z: toNumber(z) })
}
