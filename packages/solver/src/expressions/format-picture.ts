/**
 * Formats a number with a custom .NET format, invariant culture: `0` (digit or zero), `#` (digit or nothing), `.`, `,`
 * (thousands, or a division by 1000 before the decimal point), `%`, `‰`, `E+0` (exponent), `\` and quotes (literal text) and
 * `;` (formats for negative numbers and for zero). Numbers have 15 digits; halves are rounded away from zero.
 * Source: .NET documentation, *Custom numeric format strings*.
 */
export function formatPicture(value: number, format: string): string {
  const sections = splitSections(format)
  const [positive = [], negative = [], zero = []] = sections
  const isNegative = value < 0 && negative.length > 0
  const section = value === 0 && zero.length > 0 ? zero : isNegative ? negative : positive
  const layout = readLayout(section)
  const digits = roundDigits(readDigits(Math.abs(value)), layout)
  if (digits.text === '' && value !== 0 && zero.length > 0)
    return writeSection(zero, readLayout(zero), { text: '', scale: 0 })
  const sign = value < 0 && !isNegative && digits.text !== '' ? '-' : ''
  return sign + writeSection(section, layout, digits)
}

/** A literal text, or a placeholder or sign of the format. */
type Token = { literal: string } | { sign: string }

const TOKENS = /\\([\s\S]?)|'([^']*)'?|"([^"]*)"?|E[+-]?0+|[;#0.,%‰]|[\s\S]/giu

function splitSections(format: string): Token[][] {
  const sections: Token[][] = [[]]
  for (const [text, escaped, single, double] of format.matchAll(TOKENS)) {
    const literal = escaped ?? single ?? double
    if (literal !== undefined) sections.at(-1)?.push({ literal })
    else if (text === ';') sections.push([])
    else sections.at(-1)?.push(/^(?:[#0.,%‰]|E[+-]?0+)$/iu.test(text) ? { sign: text } : { literal: text })
  }
  return sections
}

interface Layout {
  /** The number of placeholders, and of those before the decimal point. */
  placeholders: number
  whole: number
  /** The first and the last placeholder that is a zero, counted from the decimal point to the left. */
  firstZero: number
  lastZero: number
  /** The power of ten that the number is multiplied by. */
  power: number
  isGrouped: boolean
  isScientific: boolean
}

function readLayout(section: readonly Token[]): Layout {
  const signs = section.flatMap((token) => ('sign' in token ? [token.sign] : []))
  const picture = signs.filter((sign) => /[#0.,]/.test(sign) && sign.length === 1).join('')
  const [before = '', ...rest] = picture.split('.')
  const after = rest.join('').replace(/,/g, '')
  const scaling = before.length - before.replace(/,+$/, '').length
  const places = before.replace(/,/g, '')
  const all = places + after
  const count = (sign: string) => signs.filter((other) => other === sign).length
  return {
    placeholders: all.length,
    whole: places.length,
    firstZero: all.includes('0') ? Math.max(0, places.length - all.indexOf('0')) : 0,
    lastZero: Math.min(0, places.length - all.lastIndexOf('0') - 1),
    power: 2 * count('%') + 3 * count('‰') - 3 * scaling,
    isGrouped: /[#0],+[#0]/.test(before),
    isScientific: signs.some((sign) => sign.length > 1),
  }
}

/** Significant digits without zeros at the end; the decimal point is after `scale` of them. */
interface Digits {
  text: string
  scale: number
}

function readDigits(value: number): Digits {
  const [mantissa = '', exponent = '0'] = value.toExponential(14).split('e')
  const text = mantissa.replace('.', '').replace(/0+$/, '')
  return { text, scale: text === '' ? 0 : Number(exponent) + 1 }
}

function roundDigits({ text, scale }: Digits, { power, placeholders, whole, isScientific }: Layout): Digits {
  const moved = text === '' ? 0 : scale + power
  const kept = isScientific ? placeholders : moved + placeholders - whole
  if (kept >= text.length) return { text, scale: moved }
  if (kept < 0) return { text: '', scale: 0 }
  if ((text[kept] as string) < '5') return trim(text.slice(0, kept), moved)
  const head = text.slice(0, kept).replace(/9+$/, '')
  if (head === '') return { text: '1', scale: moved + 1 }
  return { text: `${head.slice(0, -1)}${Number(head.at(-1)) + 1}`, scale: moved }
}

function trim(text: string, scale: number): Digits {
  const trimmed = text.replace(/0+$/, '')
  return { text: trimmed, scale: trimmed === '' ? 0 : scale }
}

function writeSection(section: readonly Token[], layout: Layout, digits: Digits): string {
  const { whole, firstZero, lastZero, isGrouped, isScientific } = layout
  const surplus = isScientific ? 0 : digits.scale - whole
  const written: string[] = []
  let place = isScientific ? whole : Math.max(digits.scale, whole)
  let gaps = Math.max(0, -surplus)
  let extra = Math.max(0, surplus)
  let next = 0
  let hasPoint = false
  const write = (digit: string) => {
    written.push(digit)
    if (isGrouped && digit !== '' && place > 1 && (place - 1) % 3 === 0) written.push(',')
  }
  for (const token of section) {
    if ('literal' in token) written.push(token.literal)
    else if (token.sign === '0' || token.sign === '#') {
      for (; extra > 0; extra--, place--) write(digits.text[next++] ?? '0')
      if (gaps > 0) {
        gaps--
        write(place <= firstZero ? '0' : '')
      } else write(digits.text[next++] ?? (place > lastZero ? '0' : ''))
      place--
    } else if (token.sign === '.') {
      if (!hasPoint && (lastZero < 0 || next < digits.text.length)) written.push('.')
      hasPoint = true
    } else if (token.sign.length > 1) written.push(writeExponent(token.sign, layout, digits))
    else if (token.sign !== ',') written.push(token.sign)
  }
  return written.join('')
}

/** `E+00`: the sign of the format shows also a plus, its zeros are the least number of digits. */
function writeExponent(sign: string, { whole }: Layout, { text, scale }: Digits): string {
  const exponent = text === '' ? 0 : scale - whole
  const zeros = sign.replace(/[^0]/g, '').length
  const shownSign = exponent < 0 ? '-' : sign.includes('+') ? '+' : ''
  return `${sign[0]}${shownSign}${String(Math.abs(exponent)).padStart(Math.min(zeros, 10), '0')}`
}
