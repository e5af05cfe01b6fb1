import type { EncodedGeometry } from '@meadow/contract'
import type { Colour, Geometry, Opaque } from '@meadow/solver'
import { encodeGeometry } from '../geometry/encode-geometry.ts'
import type { ModelOptions, ModelValue, ValueRemark } from './model-input.ts'
import { planLayers } from './plan-layers.ts'
import { USER_STRING } from './user-strings.ts'
import { createMemberId, createPlatformId } from './value-location.ts'

/** An object as the library is to write it: plain data that goes to a worker. */
export interface PlannedObject {
  /** Of the value in the list that was planned. */
  valueAt: number
  geometry: EncodedGeometry
  /** A place in the plan's `layers`. */
  layer: number
  name: string
  colour?: Colour
  userStrings: readonly (readonly [key: string, value: string])[]
}

export interface PlannedLayer {
  nodeInstanceId: string
  name: string
}

export interface ModelPlan {
  layers: PlannedLayer[]
  objects: PlannedObject[]
  unsupported: ValueRemark[]
}

/**
 * A layer per node, an object per value; the members of a group one by one, since a group is no object.
 * `unreadable` are the places of values whose object openNURBS was seen not to read.
 */
export function planObjects(
  values: readonly ModelValue[],
  options: ModelOptions,
  unreadable: ReadonlySet<number> = new Set(),
): ModelPlan {
  const names = planLayers(values)
  const layers = [...names].map(([nodeInstanceId, name]) => ({ nodeInstanceId, name }))
  const indices = new Map(layers.map(({ nodeInstanceId }, i) => [nodeInstanceId, i]))
  const plan: ModelPlan = { layers, objects: [], unsupported: [] }
  values.forEach((value, valueAt) => {
    for (const [member, geometry] of listMembers(value.value)) {
      const encoded = unreadable.has(valueAt) ? undefined : toEncoded(geometry)
      if (!encoded) {
        plan.unsupported.push(toRemark(value, `A ${geometry.type} like this is no object of a model file.`))
        continue
      }
      plan.objects.push({
        valueAt,
        geometry: encoded,
        layer: indices.get(value.nodeInstanceId)!,
        name: `${value.portName} ${value.path}[${value.index}]`,
        ...(value.colour && { colour: value.colour }),
        userStrings: listUserStrings(value, member, options),
      })
    }
  })
  return plan
}

export function toRemark(value: ModelValue, reason: string): ValueRemark {
  const { nodeInstanceId, portInstanceId, path, index } = value
  return { nodeInstanceId, portInstanceId, path, index, reason }
}

function toEncoded(value: Geometry | Opaque): EncodedGeometry | undefined {
  return value.type === 'opaque' ? value.wire.geometry : encodeGeometry(value)
}

/** A geometry that is no group is its own only member, without a place. */
function* listMembers(
  geometry: ModelValue['value'],
  point = '',
): Generator<[point: string, member: ModelValue['value']]> {
  if (geometry.type !== 'group') {
    yield [point, geometry]
    return
  }
  for (const [i, member] of geometry.members.entries()) {
    yield* listMembers(member, point === '' ? `${i}` : `${point}.${i}`)
  }
}

function listUserStrings(value: ModelValue, member: string, options: ModelOptions): [string, string][] {
  const platformId = createPlatformId(options.documentId, value)
  const strings: [string, string][] = [
    [USER_STRING.platformId, member === '' ? platformId : createMemberId(platformId, member)],
    [USER_STRING.document, options.documentId],
    [USER_STRING.solution, options.solutionId ?? ''],
    [USER_STRING.node, value.nodeInstanceId],
    [USER_STRING.nodeName, value.nodeName],
    [USER_STRING.port, value.portInstanceId],
    [USER_STRING.portName, value.portName],
    [USER_STRING.path, value.path],
    [USER_STRING.index, String(value.index)],
    [USER_STRING.member, member],
  ]
  return strings.filter(([, text]) => text !== '')
}
