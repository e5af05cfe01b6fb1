import { type MeshFace, quad, triangle } from '@meadow/geometry/values/mesh'
import type { Xyz } from '@meadow/geometry/values/points'
import { type Colour, colour, type Domain, domain } from '@meadow/geometry/values/value'
import { toNumber } from './to-number.ts'

/** Three coordinates, or two: `{1, 2, 3}`, `(1,2)`, `1,2,3`. */
export function findXyz(text: string): Xyz | undefined {
  const numbers = findNumbers(text.trim().replace(/^[{([]|[})\]]$/g, ''))
  if (!numbers || numbers.length < 2 || numbers.length > 3) return undefined
  const [x = 0, y = 0, z = 0] = numbers
  return { x, y, z }
}

/** `255,128,0` (red, green, blue), with alpha in front `255,255,128,0`, or `#ff8000`. */
export function findColour(text: string): Colour | undefined {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.trim())?.slice(1)
  const parts = hex?.map((part) => Number.parseInt(part, 16)) ?? findNumbers(text)
  if (!parts?.every((part) => Number.isInteger(part) && part >= 0 && part <= 255)) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = parts
  if (parts.length === 3) return colour(a, b, c)
  return parts.length === 4 ? colour(b, c, d, a) : undefined
}

/** `T{0,1,2}` or `Q{0,1,2,3}`, also with semicolons. */
export function findFace(text: string): MeshFace | undefined {
  const [, form, inside = ''] = /^\s*([TQ])\s*\{([\d\s,;]{1,99})\}\s*$/i.exec(text) ?? []
  const corners = inside.split(/[,;]/).map((part) => (/^\s*\d{1,9}\s*$/.test(part) ? Number(part) : -1))
  const [a = -1, b = -1, c = -1, d = -1] = corners
  if (corners.includes(-1) || corners.length !== (form?.toUpperCase() === 'Q' ? 4 : 3)) return undefined
  return corners.length === 3 ? triangle(a, b, c) : quad(a, b, c, d)
}

const MAX_DOMAIN_LENGTH = 1000

/** `0 to 10`, or a single number for the domain from 0 to that number. */
export function findDomain(text: string): Domain | undefined {
  // Splitting takes quadratic time in the length of a run of white space.
  if (text.length > MAX_DOMAIN_LENGTH) return undefined
  const ends = text.split(/\s+to\s+/i).map((end) => toNumber(end))
  const [start, end] = ends
  if (start === undefined || ends.includes(undefined)) return undefined
  if (ends.length === 1) return domain(0, start)
  return ends.length === 2 && end !== undefined ? domain(start, end) : undefined
}

const MAX_PARTS = 4

function findNumbers(text: string): number[] | undefined {
  const parts = text.split(',', MAX_PARTS + 1)
  if (parts.length > MAX_PARTS) return undefined
  const numbers = parts.map((part) => toNumber(part))
  return numbers.some((number) => number === undefined) ? undefined : (numbers as number[])
}
