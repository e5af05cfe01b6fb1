import type { DataValue, Port, PortFlag, PortReference, Xyz } from '@meadow/contract'

/** A value typed into a port. Numbers, texts and truth values become what the port's type asks for. */
export type Literal = number | boolean | string | DataValue

/** What reaches an input: wires in their order, or else typed-in values, and how the port treats them. */
export interface Feed {
  readonly wires: readonly PortReference[]
  readonly literals: readonly Literal[]
  readonly flags: readonly PortFlag[]
  readonly options: NonNullable<Port['options']>
  /** Applied to each value, which it calls x. */
  readonly expression?: string
}

/** A wire, a value, several of one of the two, or a feed that one of the functions below has adjusted. */
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
    options: [],
  }
}

function flagged(input: Input, flag: PortFlag): Feed {
  const feed = toFeed(input)
  return { ...feed, flags: [...feed.flags, flag] }
}

/** Every item in a branch of its own. With several wires they are merged first, then grafted, as Grasshopper does. */
export const graft = (input: Input): Feed => flagged(input, 'graft')

/** All items in one branch. */
export const flatten = (input: Input): Feed => flagged(input, 'flatten')

/** The port's expression, for example `formula('x/2', width)`. */
export const formula = (expression: string, input: Input): Feed => ({ ...toFeed(input), expression })

/** An angle port that reads degrees. */
export const degrees = (input: Input): Feed => {
  const feed = toFeed(input)
  return { ...feed, options: [...feed.options, 'degrees'] }
}

export const point = (...value: Xyz): DataValue => ({ type: 'point', value })
export const vector = (...value: Xyz): DataValue => ({ type: 'vector', value })
export const integer = (value: number): DataValue => ({ type: 'integer', value })
export const domain = (start: number, end: number): DataValue => ({ type: 'domain', value: { start, end } })
