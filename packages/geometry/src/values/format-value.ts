import { formatPath } from '@meadow/document'
import { countDimensions } from './curve-dimensions.ts'
import type { NurbsCurve, PolyCurve } from './curves.ts'
import { describeGeometry } from './describe-geometry.ts'
import type { Xyz } from './points.ts'
import type { Colour, Time, Value } from './value.ts'

/**
 * A value as text, as in panels, at ports for text and in expressions. This is the one place that writes numbers as text;
 * rule C-3 of SPEC.md states the form of each type and its sources.
 */
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
    case 'complex':
      return `${formatPart(value.real)} ${value.imaginary < 0 ? '-' : '+'} ${formatPart(Math.abs(value.imaginary))}i`
    case 'time':
      return formatTime(value)
    case 'colour':
      return formatColour(value)
    case 'domain':
      return `${formatPart(value.start)} To ${formatPart(value.end)}`
    case 'domain2':
      return `u:{${formatValue(value.u)}} v:{${formatValue(value.v)}}`
    case 'path':
      return formatPath(value.path)
    case 'point':
    case 'vector':
      return formatXyz(value)
    case 'plane':
      return `O${formatShort(value.origin)} Z${formatShort(value.zAxis)}`
    case 'meshFace':
      return value.c === value.d
        ? `T{${value.a};${value.b};${value.c}}`
        : `Q{${value.a};${value.b};${value.c};${value.d}}`
    case 'line':
      return 'Line-like Curve'
    case 'circle':
      return `Circle(R:${formatPart(value.radius)})`
    case 'polyline':
      return 'Polyline Curve'
    case 'arc':
      return `Arc(R:${formatPart(value.radius)})`
    case 'rectangle':
      return `Rectangle(w=${formatPart(value.x.end - value.x.start)}, h=${formatPart(value.y.end - value.y.start)})`
    case 'box':
      return 'Box'
    case 'transform':
      return 'Transform'
    case 'matrix':
      return `Matrix(${value.rows} by ${value.columns})`
    case 'twistedBox':
      return 'Twisted Box'
    case 'shader':
      return `Shader(${formatColour(value.diffuse)})`
    case 'opaque':
      return formatOpaque(value.wire.value)
    case 'nurbsCurve':
    case 'polyCurve':
      return formatCurve(value)
    default:
      return describeGeometry(value)
  }
}

/** Whether a value has a text that does not depend on the computer: complex numbers and times have none. */
export function hasText(value: Value): boolean {
  return typeof value !== 'object' || (value.type !== 'complex' && value.type !== 'time')
}

/**
 * A freeform curve as text: straight and planar ones as Grasshopper writes them, others by what they are made of, since
 * its words for them are not published.
 */
function formatCurve(curve: NurbsCurve | PolyCurve): string {
  const dimensions = countDimensions(curve)
  if (dimensions < 2) return 'Line-like Curve'
  return dimensions === 2 ? 'Planar Curve' : describeGeometry(curve)
}

/** In Meadow's words: Grasshopper writes times as the settings of a computer say. */
function formatTime({ day, ms }: Time): string {
  const text = new Date((day ?? 0) * DAY_MS + ms).toISOString()
  return day === null ? text.slice(11, 19) : text.slice(0, 19).replace('T', ' ')
}

const DAY_MS = 86_400_000

function formatXyz({ x, y, z }: Xyz): string {
  return `{${formatPart(x)}, ${formatPart(y)}, ${formatPart(z)}}`
}

/** Coordinates of a plane have two decimals. */
function formatShort({ x, y, z }: Xyz): string {
  return `(${[x, y, z].map((part) => findSpecial(part) ?? unsigned(part.toFixed(2))).join(',')})`
}

function formatColour({ red, green, blue, alpha }: Colour): string {
  return alpha === 255 ? `${red},${green},${blue}` : `${red},${green},${blue} (${alpha})`
}

function formatOpaque(shape: unknown): string {
  const isDescribed = typeof shape === 'object' && shape !== null && 'description' in shape
  return isDescribed ? String(shape.description) : 'Unknown'
}

/**
 * A number as .NET writes it: the fewest digits that read back as the same number, with a decimal point in any locale,
 * and from 1E+15 on and below 0.0001 with an exponent of at least two digits.
 */
export function formatNumber(value: number): string {
  const special = findSpecial(value)
  if (special !== undefined) return special
  const [digits = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  if (exponent > -5 && exponent < 15) return unsigned(String(value))
  return `${digits}E${formatExponent(exponent)}`
}

const DECIMALS = 6

/**
 * A number as a part of another value: at most six decimals, without zeros at the end; from a million on and below a
 * millionth with an exponent.
 */
function formatPart(value: number): string {
  const special = findSpecial(value)
  if (special !== undefined) return special
  const size = Math.abs(value)
  if (size < 1e6 && (size >= 1e-6 || size === 0)) return unsigned(trimZeros(value.toFixed(DECIMALS)))
  const [digits = '', power = '0'] = value.toExponential(DECIMALS).split('e')
  return `${trimZeros(digits)}e${formatExponent(Number(power))}`
}

function findSpecial(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN'
  if (Number.isFinite(value)) return undefined
  return value > 0 ? '∞' : '-∞'
}

function formatExponent(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function trimZeros(decimal: string): string {
  return decimal.replace(/\.?0+$/, '')
}

/** Removes the sign of a zero. */
function unsigned(text: string): string {
  return /[1-9]/.test(text) ? text : text.replace('-', '')
}
