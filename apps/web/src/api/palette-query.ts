import { type PaletteEntry, readPalette } from '@meadow/contract/web'
import { findCanvasObject, findComponent, findParameterType, type LibraryPort } from '@meadow/document'
import { isTransient, queryOf } from './queries.ts'

export interface PalettePort
  extends Pick<LibraryPort, 'name' | 'nickName' | 'access' | 'isOptional' | 'defaults'> {
  type: string
  /** Users can add more of it. */
  isRepeated: boolean
  /** Empty where the name and the type say it. */
  description: string
}

/** A kind of node that can be placed, with its names, tab and ports. */
export interface PaletteKind extends Omit<PaletteEntry, 'inputs' | 'outputs'> {
  name: string
  /** The name, where the library has no other. */
  nickName: string
  category: string
  subcategory: string
  /** A parameter is one port itself, and has none listed. */
  isParameter: boolean
  inputs: readonly PalettePort[]
  outputs: readonly PalettePort[]
}

/**
 * The kinds of nodes that can be added. They do not change while the server runs. Requested until the answer is there,
 * at once when the connection is back: adding nodes has to work without one.
 */
export const paletteQuery = {
  ...queryOf(readPalette),
  select: ({ kinds }: { kinds: PaletteEntry[] }): { kinds: PaletteKind[] } => ({ kinds: listKinds(kinds) }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: (_count: number, error: Error) => isTransient(error),
  retryDelay: (count: number) => Math.min(30_000, 500 * 2 ** count),
}

const listed = new WeakMap<readonly PaletteEntry[], PaletteKind[]>()

/** The kinds as the component library has them, by category, subcategory and name. Once for all that show them. */
function listKinds(entries: readonly PaletteEntry[]): PaletteKind[] {
  const kinds = listed.get(entries) ?? entries.flatMap(toKind).sort(byTab)
  listed.set(entries, kinds)
  return kinds
}

function toKind({ inputs, outputs, ...entry }: PaletteEntry): PaletteKind[] {
  const guid = entry.templateId
  const [component, parameter] = [findComponent(guid), findParameterType(guid)]
  const known = component ?? parameter ?? findCanvasObject(guid)
  // A server that was updated since may know more.
  if (!known) return []
  const { name, nickName, category, subcategory } = known
  return [
    {
      ...entry,
      name,
      nickName: nickName || name,
      category,
      subcategory,
      isParameter: parameter !== undefined,
      inputs: component?.inputs.map((port, at) => toPort(port, inputs[at])) ?? [],
      outputs: component?.outputs.map((port, at) => toPort(port, outputs[at])) ?? [],
    },
  ]
}

const byTab = (a: PaletteKind, b: PaletteKind): number =>
  a.category.localeCompare(b.category, 'en') ||
  a.subcategory.localeCompare(b.subcategory, 'en') ||
  a.name.localeCompare(b.name, 'en')

const toPort = (
  { name, nickName, typeName, access, isOptional, isRepeated = false, defaults }: LibraryPort,
  description = '',
): PalettePort => ({ name, nickName, type: typeName, access, isOptional, isRepeated, defaults, description })
