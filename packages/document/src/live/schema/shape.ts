/** Whether a value that was parsed from JSON has a shape. */
export type Shape = (value: unknown) => boolean

export const isText: Shape = (value) => typeof value === 'string'
export const isFlag: Shape = (value) => typeof value === 'boolean'
/** JSON text such as 1e999 parses to infinity, which JSON cannot represent. */
export const isNumber: Shape = (value) => Number.isFinite(value)
export const isWhole: Shape = (value) => Number.isInteger(value)

export const isOneOf =
  (...choices: readonly unknown[]): Shape =>
  (value) =>
    choices.includes(value)

export const isMatch =
  (pattern: RegExp): Shape =>
  (value) =>
    typeof value === 'string' && pattern.test(value)

export const isListOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape)

/** A list without duplicates. */
export const isSetOf = (shape: Shape): Shape => {
  const isList = isListOf(shape)
  return (value) => isList(value) && new Set(value as unknown[]).size === (value as unknown[]).length
}

export const isTuple =
  (...shapes: readonly Shape[]): Shape =>
  (value) =>
    Array.isArray(value) && value.length === shapes.length && shapes.every((shape, at) => shape(value[at]))

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object with these members and no others. */
export function isObject(
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  const needed = Object.keys(required)
  const shapes = new Map([...Object.entries(required), ...Object.entries(optional)])
  return (value) =>
    isPlainObject(value) &&
    needed.every((member) => Object.hasOwn(value, member)) &&
    Object.keys(value).every((member) => shapes.get(member)?.(value[member]) ?? false)
}

/** A record with a shape for its keys and one for its values. */
export const isRecordOf =
  (key: Shape, shape: Shape): Shape =>
  (value) =>
    isPlainObject(value) && Object.keys(value).every((name) => key(name) && shape(value[name]))
