/**
 * A number as Grasshopper writes it into text: six places after the point at most, and at least one (`1.0`), the
 * point whatever the language of the machine. From a million on, and below a millionth, with an exponent and five
 * digits (`1.0000e+6`); what is left out is lost to whoever reads the text.
 * Source: grasshopper3d.com, "Formatting Numbers in Grasshopper" (1,000,000 shows its first five digits).
 */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞'
  const size = Math.abs(value)
  if (size >= 1e6 || (size !== 0 && size < 1e-6)) return value.toExponential(4)
  const text = value.toFixed(6).replace(/0+$/, '')
  const whole = text.endsWith('.') ? `${text}0` : text
  return whole === '-0.0' ? '0.0' : whole
}
