import { formatPath } from '@meadow/document'
import { describeGeometry } from './describe-geometry.ts'
import type { Xyz } from './points.ts'
import type { Colour, Value } from './value.ts'

/** A value as text, as in panels and text ports. */
export function formatValue(value: Value): string {
  switch (typeof value) {
    case 'number':
      return formatNumber(value)
    case 'boolean':
      return value ? 'True' : 'False'
    case 'string':
      return value
  }
  switch (value.type) {
    case 'integer':
      return String(value.value)
    case 'colour':
      return formatColour(value)
    case 'domain':
      return `${formatNumber(value.start)} To ${formatNumber(value.end)}`
    case 'domain2':
      return `u:{${formatValue(value.u)}} v:{${formatValue(value.v)}}`
    case 'path':
      return formatPath(value.path)
    case 'point':
    case 'vector':
      return formatXyz(value)
    case 'plane':
      return `O${formatXyz(value.origin)} Z${formatXyz(value.zAxis)}`
    case 'meshFace':
      return value.c === value.d
        ? `T{${value.a};${value.b};${value.c}}`
        : `Q{${value.a};${value.b};${value.c};${value.d}}`
    case 'line':
      return 'Line-like Curve'
    case 'circle':
      return `Circle(R:${formatNumber(value.radius)})`
    case 'polyline':
      return 'Polyline Curve'
    case 'arc':
      return `Arc(R:${formatNumber(value.radius)})`
    case 'rectangle':
      return `Rectangle(w=${formatNumber(value.x.end - value.x.start)}, h=${formatNumber(value.y.end - value.y.start)})`
    case 'box':
      return 'Box'
    case 'transform':
      return 'Transform'
    case 'shader':
      return `Shader(${formatColour(value.diffuse)})`
    case 'opaque':
      return formatOpaque(value.wire.value)
    default:
      return describeGeometry(value)
  }
}

function formatXyz({ x, y, z }: Xyz): string {
  return `{${formatNumber(x)}, ${formatNumber(y)}, ${formatNumber(z)}}`
}

function formatColour({ red, green, blue, alpha }: Colour): string {
  return alpha === 255 ? `${red},${green},${blue}` : `${red},${green},${blue} (${alpha})`
}

function formatOpaque(shape: unknown): string {
  const isDescribed = typeof shape === 'object' && shape !== null && 'description' in shape
  return isDescribed ? String(shape.description) : 'Unknown'
}

/**
 * Formats a number like Grasshopper: with one to six decimals (`1.0`) and a decimal point in any locale; from a
 * million on, and below a millionth, with an exponent and five digits (`1.0000e+6`), which loses the other
 * digits.
 * Source: grasshopper3d.com, "Formatting Numbers in Grasshopper" (1,000,000 shows its first five digits).
 */
function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞'
  const size = Math.abs(value)
  if (size >= 1e6 || (size !== 0 && size < 1e-6)) return value.toExponential(4)
  const text = value.toFixed(6).replace(/0+$/, '')
  const whole = text.endsWith('.') ? `${text}0` : text
  return whole === '-0.0' ? '0.0' : whole
}
