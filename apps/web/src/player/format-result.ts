import type { DataBranch } from '@meadow/contract'
import { formatValue } from '../document/values/format-value.ts'

type Value = DataBranch['values'][number]

/** What people write behind a number, and nothing that may be another remark in parentheses. */
const UNITS =
  /^(?:[kcmµ]?m[²³23]?|km\/h|m\/s|in|ft|yd|mi|(?:sq|cu)\.? ?(?:in|ft|m)|ft[²³23]|in[²³23]|ha|l|°|°C|°F|deg|rad|%|‰|[kmM]?g|t|lb|[kM]?N(?:\/m[²2]?|m)?|[kMG]?Pa|[kM]?W(?:h)?|[kM]?J|W\/m²K|kWh\/m²a?|s|min|h|€|\$|£|EUR|USD|GBP|CHF|€\/m[²2]|pcs|dB|Hz|lx|lm)$/

/** The unit at the end of a label, as in “Height (m)” or “Height [m]”; undefined without one. */
export function splitLabel(label: string): { name: string; unit: string | undefined } {
  const [, name = '', round, square] = /^(.*\S)\s*(?:\(([^()]+)\)|\[([^[\]]+)\])\s*$/su.exec(label) ?? []
  const unit = (round ?? square ?? '').trim()
  return UNITS.test(unit) ? { name, unit } : { name: label, unit: undefined }
}

const SIGNIFICANT_DIGITS = 6

/**
 * A value of a result as people read it: numbers in groups of three digits from 10,000 on, with six digits at least, and
 * with the unit of the label. Text is a number only where the label has a unit.
 */
export function formatResult(value: Value, unit: string | undefined): string {
  const number = readNumber(value, unit !== undefined)
  if (number === undefined) return formatValue(value)
  const size = Math.abs(number)
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) return join(formatValue(value), unit)
  const wholeDigits = Math.max(1, Math.floor(Math.log10(Math.max(size, 1))) + 1)
  const text = number.toLocaleString('en', {
    useGrouping: 'min2',
    maximumFractionDigits: size < 1 ? SIGNIFICANT_DIGITS : Math.max(0, SIGNIFICANT_DIGITS - wholeDigits),
  })
  return join(text, unit)
}

function readNumber(value: Value, readsText: boolean): number | undefined {
  if (value?.type === 'number' || value?.type === 'integer')
    return typeof value.value === 'number' ? value.value : undefined
  if (!readsText || value?.type !== 'string' || !/^-?\d+(?:\.\d+)?$/.test(value.value.trim()))
    return undefined
  return Number(value.value)
}

/** A no-break space keeps number and unit together; degrees and percents stand close. */
const join = (text: string, unit: string | undefined): string =>
  unit === undefined ? text : ['°', '%', '‰'].includes(unit) ? `${text}${unit}` : `${text}\u00a0${unit}`
