import type { Node } from '@meadow/contract'
import type { AnyKind } from './define-kind.ts'

type OptionValue = boolean | number | string

/**
 * The menu options that a kind takes into account, by name: the type of their values, or the supported values
 * themselves. Any other value, and any other option, makes the node report a limit (rules O-1, O-2).
 */
export type OptionSpecs = Readonly<
  Record<string, 'boolean' | 'number' | 'string' | readonly (boolean | number)[]>
>

/** Options that change how a component looks or when it is computed, and no result. */
const HARMLESS = new Set([
  'digits', // how many Display Matrix and Transform Matrix show
  'displayGraph', // Param Viewer draws a tree
  'expireOnFileEvent', // File Path watches its file
  'fileFilter',
  'useTasks', // several threads
])

/** A menu option of a component; undefined if the node lacks it or it has another type. */
export function findOption<T extends OptionValue>(
  node: Node,
  name: string,
  form: T extends boolean ? 'boolean' : T extends number ? 'number' : 'string',
): T | undefined {
  const value = new Map(listOptions(node)).get(name)
  return typeof value === form ? (value as T) : undefined
}

/**
 * The options of a node that its kind does not take into account, such as `cullMode 7`. A node without outputs has no
 * result that they could change.
 */
export function listUnsupportedOptions(node: Node, kind: AnyKind): string[] {
  if (Object.keys(node.outputs).length === 0) return []
  return listOptions(node)
    .filter(([name, value]) => !HARMLESS.has(name) && !isSupported(kind.options, name, value))
    .map(([name, value]) => `${name} ${String(value)}`)
}

function isSupported(options: OptionSpecs = {}, name: string, value: unknown): boolean {
  const spec = Object.hasOwn(options, name) ? options[name] : undefined
  if (spec === undefined) return false
  return typeof spec === 'string' ? typeof value === spec : spec.includes(value as boolean | number)
}

function listOptions({ state }: Node): [name: string, value: unknown][] {
  const options = state?.kind === 'options' ? state.options : undefined
  return typeof options === 'object' && options !== null ? Object.entries(options) : []
}
