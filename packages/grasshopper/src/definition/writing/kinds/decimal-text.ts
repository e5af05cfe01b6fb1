const SCIENTIFIC = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/
/** Digits that .NET's decimal holds whatever they are. */
const MAX_DIGITS = 28

/** The text of a decimal item with at least so many places; undefined for a number that a decimal cannot hold. */
export function findDecimal(number: number, places: number): string | undefined {
  if (!Number.isFinite(number)) return undefined
  const [whole = '', fraction = ''] = writeOut(number).split('.')
  if (whole.length + fraction.length > MAX_DIGITS) return undefined
  const room = MAX_DIGITS - whole.length
  const padded = fraction.padEnd(Math.min(Math.max(0, places), room), '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

/** The shortest text that reads back, without an exponent. */
function writeOut(number: number): string {
  const text = String(number)
  const match = SCIENTIFIC.exec(text)
  if (!match) return text
  const [, sign = '', first = '', rest = '', power = ''] = match
  const exponent = Number(power)
  const digits = first + rest
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  return sign + digits.padEnd(exponent + 1, '0')
}
