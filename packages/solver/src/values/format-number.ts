/**
 * A number as Grasshopper writes it into text: six places after the point at most, and at least one (`1.0`), the
 * point whatever the language of the machine. Very large and very small ones with an exponent.
 */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞'
  const size = Math.abs(value)
  if (size >= 1e15) return value.toExponential().replace(/e\+?/, 'E+')
  if (size !== 0 && size < 5e-7) return value.toExponential(6).replace(/\.?0+e-/, 'E-')
  const text = value.toFixed(6).replace(/0+$/, '')
  const whole = text.endsWith('.') ? `${text}0` : text
  return whole === '-0.0' ? '0.0' : whole
}
