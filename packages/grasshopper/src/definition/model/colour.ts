/** `#rrggbbaa` of 0xAARRGGBB. */
export function formatColour(argb: number): string {
  const hex = (argb >>> 0).toString(16).padStart(8, '0')
  return `#${hex.slice(2)}${hex.slice(0, 2)}`
}

const COLOUR = /^#([0-9a-f]{6})([0-9a-f]{2})$/i

/** 0xAARRGGBB of `#rrggbbaa`; undefined for anything else. */
export function findColour(text: unknown): number | undefined {
  const match = typeof text === 'string' ? COLOUR.exec(text) : null
  return match ? Number.parseInt(`${match[2]}${match[1]}`, 16) : undefined
}
