import type { LibraryPort, StandardComponent } from '@meadow/document'
import {
  getPortType,
  type PortType,
  type PortTypeOf,
  type PortValues,
  TYPE_NAMES,
} from '../../conversions/port-types.ts'
import type { Tree } from '../../tree/tree.ts'

export type Access = 'item' | 'list' | 'tree'

/** A port of a kind. The type parameters determine the types of the kind's function. */
export interface PortSpec<T extends PortType = PortType, A extends Access = Access, Missing = unknown> {
  readonly type: T
  readonly access: A
  /** Without data the kind still runs: an item is undefined, a list empty, a tree without branches. */
  readonly isOptional: boolean
  /** A null item is passed to the kind; otherwise the kind does not run and its outputs are null. */
  readonly takesNull: boolean
  /** Never set; carries the additional type of an item. */
  readonly missing?: Missing
}

type Specs<A extends Access> = { readonly [T in PortType]: PortSpec<T, A, never> }

function createSpecs<A extends Access>(access: A): Specs<A> {
  const types = Object.keys(TYPE_NAMES) as PortType[]
  return Object.fromEntries(
    types.map((type) => [type, { type, access, isOptional: false, takesNull: false }]),
  ) as unknown as Specs<A>
}

/** One value for each run: `item.number`. */
export const item = createSpecs('item')
/** One branch for each run, including nulls: `list.curve`. */
export const list = createSpecs('list')
/** The whole tree: `tree.any`. */
export const tree = createSpecs('tree')

export function optional<T extends PortType, A extends Access, M>(port: PortSpec<T, A, M>) {
  return { ...port, isOptional: true } as PortSpec<T, A, M | undefined>
}

/** An item that may be null. */
export function nullable<T extends PortType, M>(port: PortSpec<T, 'item', M>) {
  return { ...port, takesNull: true } as PortSpec<T, 'item', M | null>
}

/** A port as the component library declares it. */
export function toPortSpec({ typeName, access, isOptional }: LibraryPort): PortSpec {
  return { type: getPortType(typeName), access, isOptional, takesNull: false }
}

/** The rows of the component library by their GUID. */
type Rows = { readonly [Row in StandardComponent as Row[0]]: Row }
/** The places in a row of the notations of its inputs and outputs. */
interface Sides {
  inputs: 7
  outputs: 8
}

/** The ports that the component library declares for a class, or for the first of several, as a tuple. */
export type LibraryPorts<Guid, Side extends keyof Sides> = Guid extends keyof Rows
  ? ReadPorts<Rows[Guid][Sides[Side]]>
  : Guid extends readonly [infer First, ...unknown[]]
    ? LibraryPorts<First, Side>
    : never

/** The ports of a notation, as `readPorts` of `@meadow/document` reads them. */
type ReadPorts<Notation extends string> = Notation extends ''
  ? readonly []
  : Notation extends `${infer First}; ${infer Rest}`
    ? readonly [ReadPort<First>, ...ReadPorts<Rest>]
    : readonly [ReadPort<Notation>]

type ReadPort<Notation> = Notation extends `${string}: ${infer Typed}` ? ReadTyped<Typed> : never

/** What follows the label of a port: `Number* = 1 ? …`. */
type ReadTyped<Typed extends string, Missing = never> = Typed extends `${infer Single} …`
  ? ReadTyped<Single, Missing>
  : Typed extends `${infer Required} ?`
    ? ReadTyped<Required, undefined>
    : Typed extends `${infer Bare} = ${string}`
      ? ReadTyped<Bare, Missing>
      : Typed extends `${infer Name}**`
        ? PortSpec<PortTypeOf<Name>, 'tree', Missing>
        : Typed extends `${infer Name}*`
          ? PortSpec<PortTypeOf<Name>, 'list', Missing>
          : PortSpec<PortTypeOf<Typed>, 'item', Missing>

/** The type that the function of a kind receives for a port. */
export type InputOf<P> =
  P extends PortSpec<infer T, infer A, infer M>
    ? A extends 'item'
      ? PortValues[T] | M
      : A extends 'list'
        ? readonly (PortValues[T] | null)[]
        : Tree<PortValues[T] | null>
    : never

/**
 * The type that it returns for a port: an item, a list, or a tree with complete paths (starting with
 * `context.path`).
 */
export type OutputOf<P> =
  P extends PortSpec<infer T, infer A, unknown>
    ? A extends 'item'
      ? PortValues[T] | null | undefined
      : A extends 'list'
        ? readonly (PortValues[T] | null)[]
        : Tree<PortValues[T] | null>
    : never

/** A list without its nulls. */
export function present<T>(values: readonly (T | null)[]): readonly T[] {
  return values.includes(null) ? values.filter((value) => value !== null) : (values as readonly T[])
}
