import type { EncodedGeometry } from '@meadow/contract'
import type { Colour, Geometry, Opaque } from '@meadow/solver'
import { encodeGeometry } from '../geometry/encode-geometry.ts'
import type { ModelOptions, ModelValue, ValueRemark } from './model-input.ts'
import { planLayers } from './plan-layers.ts'
import { USER_STRING } from './user-strings.ts'
import { createMemberId, createPlatformId } from './value-location.ts'

/** An object for the library to write: plain data that can be sent to a worker. */
export interface PlannedObject {
  /** The index of the value in the planned list. */
  valueAt: number
  geometry: EncodedGeometry
  /** An index of the plan's `layers`. */
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
 * Plans a layer for each node and an object for each value; the members of a group are separate objects, since
 * a group is not an object. `unreadable` are the indices of values that openNURBS could not read.
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

/** The members of a group with their index paths. Other geometry is its only member, with an empty path. */
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
