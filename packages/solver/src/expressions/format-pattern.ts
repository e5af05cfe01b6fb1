import { formatNumber } from '@meadow/geometry/values/format-value'
import { ExpressionLimit } from './expression-error.ts'
import { formatPicture } from './format-picture.ts'

const MAX_DIGITS = 50
const MAX_FORMAT_LENGTH = 1000

/**
 * Formats a number with a .NET format, invariant culture: a standard one (`F2`, `N0`, `D3`, `E2`, `P1`, `R`,
 * `G`, `X`) or a custom one (`formatPicture`). Halves are rounded away from zero. With an empty format the result is the shortest text that parses to the
 * same number.
 */
export function formatWithPattern(value: number, format: string, isWhole: boolean): string {
  if (format.length > MAX_FORMAT_LENGTH) throw new ExpressionLimit('The format is too long')
  const standard = /^([a-z])(\d{0,3})$/i.exec(format)
  if (!Number.isFinite(value)) return String(value)
  if (format === '') return formatNumber(value)
  if (!standard) return formatPicture(value, format)
  const [, specifier = '', digits = ''] = standard
  const digitCount = digits === '' ? undefined : Math.min(Number(digits), MAX_DIGITS)
  switch (specifier.toUpperCase()) {
    case 'F':
      return toFixed(value, digitCount ?? 2)
    case 'N':
      return groupThousands(toFixed(value, digitCount ?? 2))
    case 'P':
      return `${groupThousands(toFixed(value * 100, digitCount ?? 2))} %`
    case 'E':
      return toExponent(value, digitCount ?? 6, specifier)
    case 'D':
      return isWhole ? padWhole(value, digitCount ?? 1) : formatNumber(value)
    case 'X':
      return isWhole ? toHex(value, digitCount ?? 1, specifier) : formatNumber(value)
    case 'G':
      return digitCount === undefined || digitCount === 0
        ? formatNumber(value)
        : formatGeneral(value, digitCount, specifier)
    case 'R':
      return formatNumber(value)
    default:
      return formatPicture(value, format)
  }
}

/** Like `toFixed`, but rounds halves of the decimal text away from zero and never returns `-0`. */
function toFixed(value: number, digitCount: number): string {
  const shifted = Math.round(Number(`${Math.abs(value)}e${digitCount}`))
  const plain = Number.isSafeInteger(shifted)
    ? shift(String(shifted), digitCount)
    : Math.abs(value).toFixed(digitCount)
  return value < 0 && /[1-9]/.test(plain) ? `-${plain}` : plain
}

function shift(digits: string, digitCount: number): string {
  if (digitCount === 0) return digits
  const padded = digits.padStart(digitCount + 1, '0')
  return `${padded.slice(0, -digitCount)}.${padded.slice(-digitCount)}`
}

function groupThousands(text: string): string {
  const [whole = '', ...fraction] = text.split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}

/** `1.50e+003`: the exponent has at least three digits. */
function toExponent(value: number, digitCount: number, specifier: string): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(digitCount).split('e')
  const sign = exponent.startsWith('-') ? '-' : '+'
  return `${mantissa}${specifier}${sign}${exponent.replace(/^[+-]/, '').padStart(3, '0')}`
}

/** `1.23E+03`: `digitCount` digits without zeros at the end; an exponent where it is that number or more, or below -5. */
function formatGeneral(value: number, digitCount: number, specifier: string): string {
  const trim = (digits: string) => (digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits)
  const [mantissa = '', power = '0'] = value.toExponential(digitCount - 1).split('e')
  const exponent = Number(power)
  if (exponent > -5 && exponent < digitCount) return trim(value.toPrecision(digitCount))
  const sign = exponent < 0 ? '-' : '+'
  const letter = specifier === 'g' ? 'e' : 'E'
  return `${trim(mantissa)}${letter}${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function padWhole(value: number, digits: number): string {
  return `${value < 0 ? '-' : ''}${String(Math.abs(value)).padStart(digits, '0')}`
}

function toHex(value: number, digits: number, specifier: string): string {
  const text = (value >>> 0).toString(16).padStart(digits, '0')
  return specifier === 'X' ? text.toUpperCase() : text
}
