import type { DataTree } from '@meadow/contract'
import { UNKNOWN_KINDS } from '@meadow/contract/terms'
import { isInPathOrder } from '../../graph/data-tree.ts'
import { isLargeTree } from './large-value.ts'
import {
  isFlag,
  isListOf,
  isMatch,
  isNumber,
  isObject,
  isOneOf,
  isPlainObject,
  isRecordOf,
  isText,
  isTuple,
  isWhole,
  type Shape,
} from './shape.ts'

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

export const isGuid = isMatch(GUID)
export const isColour = isMatch(/^#[0-9a-f]{8}$/)

const isNoJsonNumber = isOneOf('NaN', 'Infinity', '-Infinity')
const isJsonNumber: Shape = (value) => isNumber(value) || isNoJsonNumber(value)
const isXyz = isTuple(isJsonNumber, isJsonNumber, isJsonNumber)
const isDomain = isObject({ start: isJsonNumber, end: isJsonNumber })
const isPlane = isObject({ origin: isXyz, xAxis: isXyz, yAxis: isXyz })
const isBox = isTuple(isXyz, isXyz)
const isGeometry = isObject({
  description: isText,
  boundingBox: (value) => value === null || isBox(value),
})

/**
 * The shapes of decision 22, which the contract has too, but its validator generates code at run time, which browsers
 * forbid.
 */
const VALUES: ReadonlyMap<string, Shape> = new Map([
  ['boolean', isFlag],
  ['integer', isWhole],
  ['number', isJsonNumber],
  ['string', isText],
  ['colour', isColour],
  ['domain', isDomain],
  ['vector', isXyz],
  ['plane', isPlane],
  ['point', isXyz],
  ['line', isObject({ from: isXyz, to: isXyz })],
  ['polyline', isListOf(isXyz)],
  ['circle', isObject({ plane: isPlane, radius: isJsonNumber })],
  [
    'arc',
    isObject({ plane: isPlane, radius: isJsonNumber, startAngle: isJsonNumber, endAngle: isJsonNumber }),
  ],
  ['rectangle', isObject({ plane: isPlane, x: isDomain, y: isDomain })],
  ['box', isObject({ plane: isPlane, x: isDomain, y: isDomain, z: isDomain })],
  ['curve', isGeometry],
  ['surface', isGeometry],
  ['brep', isGeometry],
  ['mesh', isGeometry],
  ['path', isText],
  [
    'unknown',
    isObject(
      { description: isText },
      {
        kind: isOneOf(...UNKNOWN_KINDS),
        className: isText,
        properties: isRecordOf(isText, (value) => isText(value) || isNumber(value) || isFlag(value)),
      },
    ),
  ],
])

const isEncodedGeometry = isObject({
  version: isWhole,
  archive3dm: isWhole,
  opennurbs: isWhole,
  data: isMatch(BASE64),
})
const isObjectPart = isObject({ type: isText }, { index: isWhole, parameters: isListOf(isJsonNumber) })
const hasMembers = isObject(
  { type: isText, value: () => true },
  { geometry: isEncodedGeometry, referenceId: isGuid, referencePart: isObjectPart },
)

const isDataValue: Shape = (value) =>
  value === null ||
  (hasMembers(value) && isPlainObject(value) && (VALUES.get(value.type as string)?.(value.value) ?? false))

const isBranch = isObject({ path: isText, values: isListOf(isDataValue) })

const isTreeObject = isObject({ branches: isListOf(isBranch) })

/** A data tree of decision 22 with its branches in path order, or a reference to one. */
export const isDataTree: Shape = (value) =>
  isLargeTree(value) || (isTreeObject(value) && isInPathOrder(value as DataTree))
