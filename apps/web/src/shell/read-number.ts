/**
 * Reads a finite number as people type and paste it: with a point or a comma before the decimals, an exponent, and the
 * minus of keyboards or of printed text. NaN for anything else.
 */
export function readNumber(text: string): number {
  const plain = text.trim().replace(',', '.').replaceAll('\u2212', '-')
  const number = Number(plain)
  return plain !== '' && Number.isFinite(number) ? number : Number.NaN
}
