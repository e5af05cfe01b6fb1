import { reserveText } from '@meadow/geometry/budget/budget'
import type { Value } from '@meadow/geometry/values/value'
import { ExpressionError } from './expression-error.ts'
import { formatWithPattern } from './format-pattern.ts'
import { isXyz, textOf } from './operators.ts'

const MAX_WIDTH = 1000

/**
 * Formats values with a pattern such as `{0}`, `{1:0.00}` or `{0,8:F2}`; `{{` and `}}` are literal braces.
 * Source: .NET composite formatting, invariant culture; points and vectors as RhinoCommon writes them, without braces
 * (recorded outputs of Grasshopper 8, github.com/ezzahiranass/pyhopper, Sets/Format.json).
 */
export function formatComposite(pattern: string, values: readonly (Value | null)[]): string {
  reserveText(pattern.length)
  return pattern.replace(
    /\{\{|\}\}|\{(\d+)(?:,(-?\d+))?(?::([^{}]*))?\}|[{}]/g,
    (gap, point, width, format) => {
      if (gap === '{{' || gap === '}}') return gap.charAt(0)
      if (point === undefined) throw new ExpressionError('A brace of the format has no partner')
      const index = Number(point)
      if (index >= values.length) throw new ExpressionError(`The format has no value for {${index}}`)
      const filled = pad(formatOne(values[index] ?? null, format ?? ''), Number(width ?? 0))
      reserveText(filled.length)
      return filled
    },
  )
}

function formatOne(value: Value | null, format: string): string {
  if (value === null) return ''
  if (typeof value === 'number') return formatWithPattern(value, format, false)
  if (typeof value === 'object' && value.type === 'integer')
    return formatWithPattern(value.value, format, true)
  if (isXyz(value))
    return [value.x, value.y, value.z].map((part) => formatWithPattern(part, format, false)).join()
  return textOf(value)
}

/** A negative width pads on the right. */
function pad(text: string, width: number): string {
  const size = Math.min(Math.abs(width), MAX_WIDTH)
  return width < 0 ? text.padEnd(size) : text.padStart(size)
}
