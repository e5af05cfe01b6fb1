import { Fault } from '../tree/grasshopper-error.ts'
import { formatDouble, formatSingle, parseDouble, parseSingle } from './number-text.ts'
import type { Scalar } from './scalar.ts'

export const bool: Scalar<boolean> = {
  accepts: (value) => typeof value === 'boolean',
  read(reader) {
    const byte = reader.readUint8()
    if (byte > 1) throw new Fault('malformed', `A yes or no is ${byte} instead of 0 or 1`)
    return byte === 1
  },
  write: (writer, value) => writer.writeUint8(value ? 1 : 0),
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  format: (value) => String(value),
}

export const byte: Scalar<number> = {
  ...integerText(0, 0xff),
  read: (reader) => reader.readUint8(),
  write: (writer, value) => writer.writeUint8(value),
}

export const int32: Scalar<number> = {
  ...integerText(-(2 ** 31), 2 ** 31 - 1),
  read: (reader) => reader.readInt32(),
  write: (writer, value) => writer.writeInt32(value),
}

export const int64: Scalar<bigint> = {
  accepts: (value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value,
  read: (reader) => reader.readInt64(),
  write: (writer, value) => writer.writeInt64(value),
  parse(text) {
    const value = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined
    return value !== undefined && BigInt.asIntN(64, value) === value ? value : undefined
  },
  format: (value) => String(value),
}

/** A number that is rounded to the nearest single when it is written. */
export const single: Scalar<number> = {
  accepts: (value) => typeof value === 'number',
  read: (reader) => reader.readFloat32(),
  write: (writer, value) => writer.writeFloat32(value),
  parse: parseSingle,
  format: formatSingle,
}

export const double: Scalar<number> = {
  accepts: (value) => typeof value === 'number',
  read: (reader) => reader.readFloat64(),
  write: (writer, value) => writer.writeFloat64(value),
  parse: parseDouble,
  format: formatDouble,
}

/** 0xAARRGGBB in bytes, `A;R;G;B` with decimal numbers as text. */
export const colour: Scalar<number> = {
  accepts: (value) => value >>> 0 === value,
  read: (reader) => reader.readUint32(),
  write: (writer, value) => writer.writeUint32(value),
  parse(text) {
    const parts = text.split(';', 5).map((part) => byte.parse(part))
    const [a, r, g, b] = parts
    if (parts.length !== 4 || a === undefined || r === undefined || g === undefined || b === undefined)
      return undefined
    return ((a << 24) | (r << 16) | (g << 8) | b) >>> 0
  },
  format: (value) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join(';'),
}

/** Text is well-formed Unicode: a lone surrogate has no UTF-8 encoding. */
export const string: Scalar<string> = {
  accepts: (value) => typeof value === 'string' && value.isWellFormed(),
  read: (reader) => reader.readString(),
  write: (writer, value) => writer.writeString(value),
  parse: (text) => text,
  format: (value) => value,
}

function integerText(min: number, max: number): Pick<Scalar<number>, 'accepts' | 'parse' | 'format'> {
  const accepts = (value: number) => Number.isInteger(value) && value >= min && value <= max
  return {
    accepts,
    parse(text) {
      const value = /^-?\d{1,10}$/.test(text) ? Number(text) : undefined
      return value !== undefined && accepts(value) ? value : undefined
    },
    format: (value) => String(value),
  }
}

const GUID = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/i

/** 16 bytes in .NET's order: the first three groups are little-endian, the last eight bytes in the order of the text. */
export const guid: Scalar<string> = {
  accepts: (value) => GUID.test(value),
  read(reader) {
    const hex = swapGroups(reader.readHex(16))
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  },
  write(writer, value) {
    writer.writeHex(swapGroups(value.replaceAll('-', '')))
  },
  parse: (text) => (GUID.test(text) ? text.toLowerCase() : undefined),
  format: (value) => value.toLowerCase(),
}

/** Converts between the order of the text and that of the bytes. */
function swapGroups(hex: string): string {
  const pair = (at: number) => hex.slice(at, at + 2)
  return pair(6) + pair(4) + pair(2) + pair(0) + pair(10) + pair(8) + pair(14) + pair(12) + hex.slice(16)
}
