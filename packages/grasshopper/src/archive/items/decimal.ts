import { Fault } from '../tree/grasshopper-error.ts'
import type { Scalar } from './scalar.ts'

const TEXT = /^(-?)(0|[1-9]\d{0,28})(?:\.(\d{1,28}))?$/
const LARGEST = 2n ** 96n - 1n
const MAX_DECIMALS = 28
const NEGATIVE = 0x8000_0000

/**
 * .NET's decimal: three uint32 of a 96-bit integer, the low one first, then a uint32 with the number of decimal
 * places in bits 16 to 23 and the sign in bit 31. The value is text, since a number would lose trailing zeros and digits.
 */
export const decimal: Scalar<string> = {
  accepts: (value) => toParts(value) !== undefined,
  read(reader) {
    const integer =
      BigInt(reader.readUint32()) |
      (BigInt(reader.readUint32()) << 32n) |
      (BigInt(reader.readUint32()) << 64n)
    const flags = reader.readUint32()
    const decimals = (flags >>> 16) & 0xff
    const isNegative = flags >= NEGATIVE
    if (decimals > MAX_DECIMALS || (flags & 0x7f00_ffff) !== 0) {
      throw new Fault('malformed', 'A decimal has a sign or a number of places that does not exist')
    }
    const digits = integer.toString().padStart(decimals + 1, '0')
    const point = digits.length - decimals
    const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
    return isNegative ? `-${text}` : text
  },
  write(writer, value) {
    const { integer, decimals, isNegative } = toParts(value)!
    for (const shift of [0n, 32n, 64n]) writer.writeUint32(Number((integer >> shift) & 0xffff_ffffn))
    writer.writeUint32((isNegative ? NEGATIVE : 0) + decimals * 2 ** 16)
  },
  parse: (text) => (toParts(text) ? text : undefined),
  format: (value) => value,
}

function toParts(text: string): { integer: bigint; decimals: number; isNegative: boolean } | undefined {
  const match = TEXT.exec(text)
  if (!match) return undefined
  const fraction = match[3] ?? ''
  const integer = BigInt(match[2] + fraction)
  return integer <= LARGEST ? { integer, decimals: fraction.length, isNegative: match[1] === '-' } : undefined
}
