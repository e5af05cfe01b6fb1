import { type DataValue, encodeNumber, type UnknownKind, type UnknownValue } from '@meadow/document'
import type { Chunk, Item } from '../../../archive/tree/archive.ts'
import { findChunk, findItem } from '../../../archive/tree/find.ts'
import { formatColour } from '../../model/colour.ts'
import type { Reading } from '../../model/reading.ts'
import { findText, isSafeKey, unifyLineEnds } from '../../model/text.ts'
import { listHiddenItems } from './hidden-defaults.ts'

type Properties = NonNullable<UnknownValue['properties']>

/** Reads a value without a form of its own: a description, its class, and what its items say by themselves. */
export function readUnknown(chunk: Chunk, reading: Reading): DataValue {
  if (reading === 1) return { type: 'unknown', value: { description: describeFirst(chunk) } }
  const className = findText(chunk, 'TypeName')
  const known = KINDS.find(({ item }) => item(chunk))
  const properties = known?.properties?.(chunk) ?? listProperties(chunk)
  return {
    type: 'unknown',
    value: {
      description: known?.describe(chunk) ?? describeFirst(chunk),
      ...(known ? { kind: known.kind } : {}),
      ...(className ? { className } : {}),
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
    },
  }
}

interface Kind {
  kind: UnknownKind
  /** Whether a value is of this kind, by an item that only such values have. */
  item(chunk: Chunk): boolean
  describe(chunk: Chunk): string | undefined
  /** Lists the properties of a value; by default all items, under their own names. */
  properties?(chunk: Chunk): Properties
}

const hasText = (name: string) => (chunk: Chunk) => findText(chunk, name) !== undefined
const hasInteger = (name: string) => (chunk: Chunk) => findItem(chunk, name, 'int32') !== undefined

const KINDS: readonly Kind[] = [
  {
    kind: 'revit',
    item: (chunk) => hasText('UniqueID')(chunk) && findItem(chunk, 'DocumentGUID', 'guid') !== undefined,
    describe: describeRevit,
    properties: listRevitIds,
  },
  {
    kind: 'material',
    item: (chunk) => findItem(chunk, 'diffuse', 'drawing_color') !== undefined,
    describe: describeMaterial,
    properties: listMaterial,
  },
  {
    kind: 'script',
    item: (chunk) => findScript(chunk) !== undefined,
    describe: (chunk) => `Script ${JSON.stringify(findText(findScript(chunk)!, 'Title') ?? '')}`,
    properties: listScript,
  },
  { kind: 'loftOptions', item: hasInteger('LoftType'), describe: describeLoft },
  {
    kind: 'meshSettings',
    item: (chunk) => findItem(chunk, 'MaxEdgeLength', 'double') !== undefined,
    describe: describeMeshSettings,
  },
  { kind: 'meshFace', item: (chunk) => describeMeshFace(chunk) !== undefined, describe: describeMeshFace },
  { kind: 'coordinateMask', item: hasInteger('CMask'), describe: describeFirst },
  {
    kind: 'guid',
    item: (chunk) => findItem(chunk, 'id', 'guid') !== undefined,
    describe: describeFirst,
  },
  {
    kind: 'culture',
    item: hasInteger('LCID'),
    describe: describeFirst,
    properties: (chunk) => ({ lcid: findItem(chunk, 'LCID', 'int32') ?? 0 }),
  },
]

/** `Revit Wall 4188`: the number at the end of the UniqueID is the id of the element when it was created. */
function describeRevit(chunk: Chunk): string {
  const className = findText(chunk, 'TypeName') ?? ''
  const { uniqueId, elementId } = listRevitIds(chunk)
  const kind = className.slice(className.lastIndexOf('.') + 1) || 'element'
  return `Revit ${kind} ${elementId ?? uniqueId}`
}

/** Eight hexadecimal digits, or sixteen since Revit 2024; built-in things have negative numbers. */
const ELEMENT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-((?:[0-9a-f]{8}){1,2})$/i

function listRevitIds(chunk: Chunk): Properties {
  const uniqueId = findText(chunk, 'UniqueID') ?? ''
  const documentId = findItem(chunk, 'DocumentGUID', 'guid') ?? ''
  const digits = ELEMENT_ID.exec(uniqueId)?.[1]
  const elementId = digits && Number(BigInt.asIntN(digits.length * 4, BigInt(`0x${digits}`)))
  return {
    documentId,
    uniqueId,
    ...(Number.isSafeInteger(elementId) ? { elementId: elementId as number } : {}),
  }
}

const COLOURS = ['diffuse', 'specular', 'emission', 'ambient']
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Transparency and shine are from 0 to 1. A material of the Rhino model has its id. */
function listMaterial(chunk: Chunk): Properties {
  const colours = COLOURS.flatMap((name) => {
    const colour = findItem(chunk, name, 'drawing_color')
    return colour === undefined ? [] : [[name, formatColour(colour)] as const]
  })
  const numbers = ['transparency', 'shine'].flatMap((name) => {
    const number = findItem(chunk, name, 'double')
    return number === undefined ? [] : [[name, encodeNumber(number)] as const]
  })
  const id = findItem(chunk, 'rdk_id', 'guid')
  return Object.fromEntries([
    ...colours,
    ...numbers,
    ...(id && id !== NO_ID ? [['renderId', id] as const] : []),
  ])
}

/** The script of a Rhino 8 component, which a port can hold as a value. */
function findScript(chunk: Chunk): Chunk | undefined {
  const script = findChunk(chunk, 'Value')
  return script && findText(script, 'Text') !== undefined ? script : undefined
}

function listScript(chunk: Chunk): Properties {
  const script = findScript(chunk) as Chunk
  const source = Buffer.from(findText(script, 'Text') ?? '', 'base64').toString('utf8')
  return { title: findText(script, 'Title') ?? '', source: unifyLineEnds(source) }
}

/** How many properties a value has at most, and how long their texts are: longer ones are data in a text. */
const MAX_PROPERTIES = 64
const MAX_TEXT = 2000

/** Lists what the items of a value say by themselves: numbers, switches, ids, colours and short texts, by name. */
function listProperties({ items }: Chunk): Properties {
  const found = items
    .filter(({ name, index }) => index < 0 && name !== 'TypeName' && isSafeKey(name))
    .flatMap((item) => {
      const value = findProperty(item)
      return value === undefined ? [] : [[item.name.toWellFormed(), value] as const]
    })
  return Object.fromEntries(found.slice(0, MAX_PROPERTIES))
}

function findProperty({ type, value }: Item): Properties[string] | undefined {
  if (type === 'bool' || type === 'int32' || type === 'byte' || type === 'guid' || type === 'decimal')
    return value
  if (type === 'double' || type === 'single') return encodeNumber(value)
  if (type === 'drawing_color') return formatColour(value)
  if (type === 'int64') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  return type === 'string' && value.length <= MAX_TEXT ? value.toWellFormed() : undefined
}

/** Describes a value in the words of the first reading; undefined if its items have other types. */
type Describer = (chunk: Chunk) => string | undefined

/** The describers of values, by the name of an item that only such values have. */
const DESCRIBERS = new Map<string, Describer>([
  ['id', (chunk) => join('Guid', findItem(chunk, 'id', 'guid'))],
  ['LCID', (chunk) => join('Culture', findItem(chunk, 'LCID', 'int32'))],
  ['CMask', (chunk) => join('Coordinate mask', findItem(chunk, 'CMask', 'int32'))],
  ['A', describeMeshFace],
  ['diffuse', describeMaterial],
  ['LoftType', describeLoft],
  ['MaxEdgeLength', describeMeshSettings],
])

/** Describes loft options by their type, and in brackets what differs from those of a new component. */
function describeLoft(chunk: Chunk): string | undefined {
  const type = findItem(chunk, 'LoftType', 'int32')
  if (type === undefined) return undefined
  const differences = [
    findItem(chunk, 'Closed', 'bool') ? 'closed' : '',
    findItem(chunk, 'Adjust', 'bool') ? 'adjusted' : '',
    findItem(chunk, 'LoftSimp', 'int32') ? 'simplified' : '',
    findItem(chunk, 'LoftEnds', 'int32') ? 'with ends' : '',
  ].filter((text) => text !== '')
  return `Loft options of type ${type} (${differences.join(', ') || 'otherwise unchanged'})`
}

const MAX_NAMES = 5

/** The description of the first reading: its kind, its class, or the names of its items. */
function describeFirst(chunk: Chunk): string {
  const typeName = findText(chunk, 'TypeName')
  if (typeName) return typeName
  for (const { name } of chunk.items) {
    const description = DESCRIBERS.get(name)?.(chunk)
    if (description !== undefined) return description
  }
  const names = [...chunk.items, ...chunk.chunks].slice(0, MAX_NAMES).map(({ name }) => name.toWellFormed())
  return `Value of another kind (${names.join(', ')})`
}

function join(kind: string, value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : `${kind} ${value}`
}

function describeMeshFace(chunk: Chunk): string | undefined {
  const corners = ['A', 'B', 'C', 'D'].map((name) => findItem(chunk, name, 'int32'))
  return corners.includes(undefined) ? undefined : `Mesh face ${corners.join(', ')}`
}

/** Names the items that are not as in a new component: `Mesh settings with MaxEdgeLength 5, SimplePlanes false`. */
function describeMeshSettings({ items }: Chunk): string {
  const usual = new Map(listHiddenItems('Mesher Settings').map(({ name, value }) => [name, value]))
  const changed = items.filter(({ name, value }) => usual.has(name) && usual.get(name) !== value)
  const parts = changed.map(({ name, value }) => `${name} ${value}`)
  return parts.length === 0 ? 'Mesh settings' : `Mesh settings with ${parts.join(', ')}`
}

function describeMaterial(chunk: Chunk): string | undefined {
  const colour = findItem(chunk, 'diffuse', 'drawing_color')
  return join('Material', colour === undefined ? undefined : formatColour(colour))
}
