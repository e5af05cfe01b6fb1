import type { JsonNumber } from '@meadow/contract'

/** The JSON form of a number: itself, or `NaN`, `Infinity`, `-Infinity` as text (decision 22). */
export function encodeNumber(value: number): JsonNumber {
  return Number.isFinite(value) ? value : (String(value) as JsonNumber)
}

export function decodeNumber(value: JsonNumber): number {
  return Number(value)
}
