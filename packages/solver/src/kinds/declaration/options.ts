import type { Node } from '@meadow/contract'

/** A menu option of a component; undefined if the node lacks it or it has another type. */
export function findOption<T extends boolean | number | string>(
  { state }: Node,
  name: string,
  form: T extends boolean ? 'boolean' : T extends number ? 'number' : 'string',
): T | undefined {
  const options = state?.kind === 'options' ? state.options : undefined
  if (typeof options !== 'object' || options === null || !Object.hasOwn(options, name)) return undefined
  const value: unknown = Reflect.get(options, name)
  return typeof value === form ? (value as T) : undefined
}
