/** The number, or another for one that is missing or that JSON lacks. */
export function toFinite(value: number | undefined, otherwise = 0): number {
  return value !== undefined && Number.isFinite(value) ? value : otherwise
}
