import { formatPath } from '@meadow/document'
import { checkpoint } from '../../budget/budget.ts'
import type { Value } from '../../values/value.ts'

const objectKeys = new WeakMap<object, string>()
let made = 0

/**
 * A text that two values share when they are equal: numbers, texts, truth values, points, vectors, colours, domains
 * and paths by what they are; other geometry only by being the very same. Values of different types are different:
 * a whole number is not the number 1.0, nor the text "1".
 */
export function getValueKey(value: Value | null): string {
  if (value === null) return 'null'
  checkpoint(typeof value === 'string' ? 1 + value.length / 64 : 1)
  if (typeof value !== 'object') return `${typeof value} ${value}`
  switch (value.type) {
    case 'integer':
      return `integer ${value.value}`
    case 'point':
    case 'vector':
      return `${value.type} ${value.x} ${value.y} ${value.z}`
    case 'colour':
      return `colour ${value.red} ${value.green} ${value.blue} ${value.alpha}`
    case 'domain':
      return `domain ${value.start} ${value.end}`
    case 'path':
      return `path ${formatPath(value.path)}`
    default:
      return getObjectKey(value)
  }
}

function getObjectKey(value: object): string {
  const known = objectKeys.get(value)
  if (known !== undefined) return known
  const key = `object ${made++}`
  objectKeys.set(value, key)
  return key
}
