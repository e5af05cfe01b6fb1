/**
 * How many digits numbers have in XML; either text reads back as the same number.
 * `shortest`: as few as possible (Rhino 8). `classic`: 7 for a single and 15 for a double, or 9 and 17 if that does not
 * read back (Rhino 7 and older).
 */
export type DigitStyle = 'shortest' | 'classic'

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const EXPONENTIAL = /^(-?)(\d)(?:\.(\d+))?e(.+)$/
const LARGEST_SINGLE = (2 - 2 ** -23) * 2 ** 127

export function formatDouble(value: number, style: DigitStyle): string {
  if (style === 'shortest') return layOut(value, undefined, 15)
  return layOut(value, Number(value.toPrecision(15)) === value ? 15 : 17, 15)
}

/** The text of the single nearest to a value. */
export function formatSingle(value: number, style: DigitStyle): string {
  const single = Math.fround(value)
  const tries = style === 'shortest' ? [1, 2, 3, 4, 5, 6, 7, 8] : [7]
  const digits = tries.find((some) => parseSingle(single.toPrecision(some)) === single)
  return layOut(single, digits ?? 9, 7)
}

/** The double of a text; undefined if it is not a number. */
export function parseDouble(text: string): number | undefined {
  if (text === 'NaN') return Number.NaN
  if (text === 'Infinity') return Number.POSITIVE_INFINITY
  if (text === '-Infinity') return Number.NEGATIVE_INFINITY
  if (!NUMBER.test(text)) return undefined
  // Rhino 7 writes the largest double with fifteen digits, which is a larger number.
  return clamp(Number(text), Number.MAX_VALUE)
}

/** The single of a text; undefined if it is not a number. */
export function parseSingle(text: string): number | undefined {
  const value = parseDouble(text)
  if (value === undefined || !Number.isFinite(value)) return value
  return clamp(Math.fround(value), LARGEST_SINGLE)
}

/**
 * Formats a number like .NET: `15` and `0.00015` from 1E-04 on, `1.5E-07` below that and from 10 to the power of
 * `large` on. Without `digits`, the text has as few digits as read back as the same double.
 */
function layOut(value: number, digits: number | undefined, large: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (Object.is(value, -0)) return '-0'
  const text = digits === undefined ? value.toExponential() : value.toExponential(digits - 1)
  const [, sign, first, rest = '', power] = EXPONENTIAL.exec(text)!
  const significant = `${first}${rest}`.replace(/0+$/, '') || '0'
  const exponent = Number(power)
  if (exponent < -4 || exponent >= large) {
    const tail = significant.length > 1 ? `.${significant.slice(1)}` : ''
    const size = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${first}${tail}E${exponent < 0 ? '-' : '+'}${size}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${significant}`
  const whole = significant.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const fraction = significant.slice(exponent + 1)
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

function clamp(value: number, largest: number): number {
  return Math.max(-largest, Math.min(largest, value))
}
