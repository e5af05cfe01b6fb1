/** `#rrggbbaa` of 0xAARRGGBB. */
export function formatColour(argb: number): string {
  const hex = (argb >>> 0).toString(16).padStart(8, '0')
  return `#${hex.slice(2)}${hex.slice(0, 2)}`
}
