import type { Domain, Plane, Xyz } from '@meadow/document'
import { encodeNumber } from '@meadow/document'
import type { ItemValues } from '../../archive/archive.ts'

export function toXyz({ x, y, z }: ItemValues['point3d']): Xyz {
  return [encodeNumber(x), encodeNumber(y), encodeNumber(z)]
}

export function toDomain({ a, b }: ItemValues['interval1d']): Domain {
  return { start: encodeNumber(a), end: encodeNumber(b) }
}

export function toPlane({ origin, xAxis, yAxis }: ItemValues['plane']): Plane {
  return { origin: toXyz(origin), xAxis: toXyz(xAxis), yAxis: toXyz(yAxis) }
}
