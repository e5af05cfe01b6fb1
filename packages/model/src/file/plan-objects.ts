import type { EncodedGeometry } from '@meadow/contract'
import { getPreviewColour } from '@meadow/geometry/values/shader'
import type { Colour, Geometry, Opaque } from '@meadow/geometry/values/value'
import { encodeGeometry } from '../geometry/encode-geometry.ts'
import type { ModelOptions, ModelValue, ValueRemark } from './model-input.ts'
import { type PlannedLayer, planLayers } from './plan-layers.ts'
import { type PlannedMaterial, planMaterials } from './plan-materials.ts'
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
  /** An index of the plan's `materials`. */
  material?: number
  userStrings: readonly (readonly [key: string, value: string])[]
}

export interface ModelPlan {
  layers: PlannedLayer[]
  materials: PlannedMaterial[]
  objects: PlannedObject[]
  unsupported: ValueRemark[]
}

/**
 * Plans the layers and materials of a file and an object for each value; the members of a group are separate objects, since
 * a group is not an object. `unreadable` are the indices of values that openNURBS could not read.
 */
export function planObjects(
  values: readonly ModelValue[],
  options: ModelOptions,
  unreadable: ReadonlySet<number> = new Set(),
): ModelPlan {
  const { layers, layerOf } = planLayers(values, options)
  const shaders = values.flatMap(({ material }) => material ?? [])
  const { materials, indexOf } = planMaterials(shaders, options.documentId)
  const plan: ModelPlan = { layers, materials, objects: [], unsupported: [] }
  values.forEach((value, valueAt) => {
    const material = value.material && indexOf(value.material)
    const colour = value.colour ?? (value.material && getPreviewColour(value.material))
    for (const [member, geometry] of listMembers(value.value)) {
      const encoded = unreadable.has(valueAt) ? undefined : toEncoded(geometry)
      if (!encoded) {
        plan.unsupported.push(toRemark(value, `A ${geometry.type} like this is no object of a model file.`))
        continue
      }
      plan.objects.push({
        valueAt,
        geometry: encoded,
        layer: layerOf.get(value.nodeInstanceId)!,
        name: `${value.portName} ${value.path}[${value.index}]`,
        ...(colour && { colour }),
        ...(material !== undefined && { material }),
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
