import { type Domain, decodeNumber, type Plane, type Xyz } from '@meadow/document'
import type { ItemValues } from '../../../archive/archive.ts'

export function fromXyz([x, y, z]: Xyz): ItemValues['point3d'] {
  return { x: decodeNumber(x), y: decodeNumber(y), z: decodeNumber(z) }
}

export function fromDomain({ start, end }: Domain): ItemValues['interval1d'] {
  return { a: decodeNumber(start), b: decodeNumber(end) }
}

export function fromPlane({ origin, xAxis, yAxis }: Plane): ItemValues['plane'] {
  return { origin: fromXyz(origin), xAxis: fromXyz(xAxis), yAxis: fromXyz(yAxis) }
}
