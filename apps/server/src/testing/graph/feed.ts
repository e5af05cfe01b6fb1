import type { DataValue, PortFlag, PortReference } from '@meadow/contract'

/** A value of a port. Numbers, texts and booleans are converted to the port's type. */
export type Literal = number | boolean | string | DataValue

/** The wires of an input in their order, or else its literals, with the modifiers of the port. */
export interface Feed {
  readonly wires: readonly PortReference[]
  readonly literals: readonly Literal[]
  readonly flags: readonly PortFlag[]
  /** Applied to each value, as the variable x. */
  readonly expression?: string
}

/** A wire, a literal, several of either, or a feed with modifiers from one of the functions below. */
export type Input = PortReference | Literal | readonly PortReference[] | readonly Literal[] | Feed

const isWire = (item: PortReference | Literal): item is PortReference =>
  typeof item === 'object' && 'portInstanceId' in item

const isList = (input: Input): input is readonly PortReference[] | readonly Literal[] => Array.isArray(input)

export function toFeed(input: Input): Feed {
  if (typeof input === 'object' && 'wires' in input) return input
  const items = isList(input) ? input : [input]
  return {
    wires: items
      .filter(isWire)
      .map(({ nodeInstanceId, portInstanceId }) => ({ nodeInstanceId, portInstanceId })),
    literals: items.filter((item): item is Literal => !isWire(item)),
    flags: [],
  }
}

function flagged(input: Input, flag: PortFlag): Feed {
  const feed = toFeed(input)
  return { ...feed, flags: [...feed.flags, flag] }
}

/** Puts every item in a branch of its own. Several wires are merged before, as in Grasshopper. */
export const graft = (input: Input): Feed => flagged(input, 'graft')

/** Puts all items in one branch. */
export const flatten = (input: Input): Feed => flagged(input, 'flatten')

/** Applies an expression, for example `formula('x/2', width)`. */
export const formula = (expression: string, input: Input): Feed => ({ ...toFeed(input), expression })

export const domain = (start: number, end: number): DataValue => ({ type: 'domain', value: { start, end } })
