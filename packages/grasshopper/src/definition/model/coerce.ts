/* Members of `Node.state` can be any JSON, but items of an archive have a type: other values become a default. */

export function toText(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : ''
}

/** Converts a text to the line ends of Windows, as Grasshopper writes them. */
export function toWindowsText(value: unknown): string {
  return toText(value).replace(/\r\n?/g, '\n').replaceAll('\n', '\r\n')
}

export function toNumber(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}

/** Rounds a number to one that a single holds. */
export function toSingle(value: unknown): number {
  return toNumber(Math.fround(toNumber(value)))
}

export function toInt32(value: unknown): number {
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.round(toNumber(value))))
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether an id is a GUID as archives hold it: in lower case, with dashes. */
export function isGuid(value: unknown): value is string {
  return typeof value === 'string' && GUID.test(value)
}
