import type { DataValue, Domain, Xyz } from '@meadow/contract'

/** A port of a standard component as its library declares it. */
export interface LibraryPort {
  name: string
  nickName: string
  /** The name of a parameter type, as in `findParameterType`. */
  typeName: string
  access: 'item' | 'list' | 'tree'
  /** Whether it may have no data although it has no default. */
  isOptional: boolean
  /** The literal values of a new component: one branch `{0}`; empty for none. */
  defaults: readonly DataValue[]
  /** Users can add more ports like it, and remove it while another one is left. */
  isRepeated?: boolean
}

const PORT =
  /^(?<label>.+): (?<type>[^:*?=…]+?)(?<access>\*{0,2})(?: = (?<defaults>.+?))?(?<optional> \?)?(?<repeated> …)?$/
/** A nickname can hold brackets itself: `List (A) (A)`. */
const LABEL = /^(?<name>.+) \((?<nickName>[^)]*)\)$/

/** Reads ports in the notation of `ComponentRow`. */
export function readPorts(notation: string): LibraryPort[] {
  return notation === '' ? [] : notation.split('; ').map(readPort)
}

function readPort(notation: string): LibraryPort {
  const groups = PORT.exec(notation)?.groups
  if (!groups) throw new Error(`Not a port: ${notation}`)
  const { label = '', type = '', access, defaults, optional, repeated } = groups
  const { name = label, nickName = label } = LABEL.exec(label)?.groups ?? {}
  return {
    name,
    nickName,
    typeName: type,
    access: access === '**' ? 'tree' : access === '*' ? 'list' : 'item',
    isOptional: optional !== undefined,
    defaults: defaults === undefined ? [] : defaults.split(' , ').map((text) => readDefault(type, text)),
    ...(repeated === undefined ? {} : { isRepeated: true }),
  }
}

const ORIGIN: Xyz = [0, 0, 0]
const PLANES: Record<string, { xAxis: Xyz; yAxis: Xyz }> = {
  XY: { xAxis: [1, 0, 0], yAxis: [0, 1, 0] },
  YZ: { xAxis: [0, 1, 0], yAxis: [0, 0, 1] },
}

function readDefault(type: string, text: string): DataValue {
  switch (type) {
    case 'Boolean':
      return { type: 'boolean', value: text === 'true' }
    case 'Integer':
      return { type: 'integer', value: Number(text) }
    case 'Number':
      return { type: 'number', value: readNumber(text) }
    case 'Text':
      return { type: 'string', value: text }
    case 'Point':
      return { type: 'point', value: JSON.parse(text) as Xyz }
    case 'Vector':
      return { type: 'vector', value: JSON.parse(text) as Xyz }
    case 'Domain':
      return { type: 'domain', value: readDomain(text) }
    case 'Rectangle': {
      const { plane = '', x = '', y = '' } = RECTANGLE.exec(text)?.groups ?? {}
      const axes = PLANES[plane]
      if (!axes) break
      return {
        type: 'rectangle',
        value: { plane: { origin: ORIGIN, ...axes }, x: readDomain(x), y: readDomain(y) },
      }
    }
    case 'Plane': {
      const axes = PLANES[text]
      if (axes) return { type: 'plane', value: { origin: ORIGIN, ...axes } }
      break
    }
    case 'Colour':
      return { type: 'colour', value: `#${text.slice(3)}${text.slice(1, 3)}` }
    case 'Data Path':
      return { type: 'path', value: JSON.parse(text) as string }
  }
  throw new Error(`Not a default of ${type}: ${text}`)
}

const RECTANGLE = /^(?<plane>[A-Z]+)(?<x>\[.+\])(?<y>\[.+\])$/

/** `[0,1]` */
function readDomain(text: string): Domain {
  const [start = '', end = ''] = text.slice(1, -1).split(',')
  return { start: readNumber(start), end: readNumber(end) }
}

/** `0.5`, `2π`, `π/2` */
function readNumber(text: string): number {
  const { factor, divisor } = /^(?<factor>.*)π(?:\/(?<divisor>.+))?$/.exec(text)?.groups ?? {}
  return factor === undefined ? Number(text) : (Number(factor || 1) * Math.PI) / Number(divisor ?? 1)
}
