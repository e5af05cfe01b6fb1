import type { Unit } from '@meadow/contract'
import type { Colour } from '@meadow/geometry/values/value'
import type { File3dm, GeometryBase, Layer, Material, RhinoModule } from 'rhino3dm'
import type { ModelOptions } from '../file/model-input.ts'
import type { ModelPlan, PlannedObject } from '../file/plan-objects.ts'
import { toUnitSystem } from '../file/unit-system.ts'
import { decodeObject, type HeldGeometry, hold, type Library } from './library.ts'
import type { DraftModel, Remark } from './requests.ts'
import { writeBytes } from './write-bytes.ts'

/** Writes the planned objects to a .3dm file. Its dates and object ids are still random. */
export function writeDraft({ rhino }: Library, plan: ModelPlan, options: ModelOptions): DraftModel {
  using file = hold(new rhino.File3dm())
  file.applicationName = 'Meadow'
  setUnits(rhino, file, options.units)
  addLayers(rhino, file, plan)
  addMaterials(rhino, file, plan)
  using objects = hold(file.objects())
  const leftOut: Remark[] = []
  const flawed: Remark[] = []
  plan.objects.forEach((planned, objectAt) => {
    using geometry = decodeObject(rhino, planned.geometry)
    if (!geometry) {
      leftOut.push({ objectAt, reason: 'openNURBS cannot read it.' })
      return
    }
    const flaw = findInvalidReason(geometry)
    if (flaw !== undefined) flawed.push({ objectAt, reason: flaw })
    using attributes = createAttributes(rhino, planned)
    // The object table has its own `delete` method, which does not dispose of the handle.
    objects.add(geometry as unknown as GeometryBase, attributes)
  })
  return { bytes: writeBytes(rhino, file, options.archiveVersion), unsupported: leftOut, invalid: flawed }
}

function setUnits(rhino: RhinoModule, file: File3dm, units: Unit): void {
  using settings = hold(file.settings())
  settings.modelUnitSystem = rhino.UnitSystem[toUnitSystem(units)]
}

function addLayers(rhino: RhinoModule, file: File3dm, { layers }: ModelPlan): void {
  using table = hold(file.layers())
  for (const { id, name, parentId, colour, isOff } of layers) {
    using layer = hold(new rhino.Layer() as Layer & { id: string })
    layer.name = name
    layer.id = id
    if (parentId) layer.parentLayerId = parentId
    if (colour) layer.color = toRhinoColour(colour)
    if (isOff) layer.visible = false
    table.add(layer)
  }
}

function addMaterials(rhino: RhinoModule, file: File3dm, { materials }: ModelPlan): void {
  using table = hold(file.materials())
  for (const { id, name, diffuse, specular, emission, transparency, shine } of materials) {
    using material = hold(new rhino.Material() as Material & Record<string, unknown>)
    const looks = { diffuseColor: diffuse, specularColor: specular, emissionColor: emission }
    for (const [member, [r, g, b]] of Object.entries(looks)) material[member] = { r, g, b, a: 255 }
    Object.assign(material, { id, name, transparency, shine })
    table.add(material)
  }
}

function createAttributes(rhino: RhinoModule, { name, layer, colour, material, userStrings }: PlannedObject) {
  const attributes = hold(new rhino.ObjectAttributes())
  attributes.name = name
  attributes.layerIndex = layer
  if (colour) {
    attributes.colorSource = rhino.ObjectColorSource.ColorFromObject
    attributes.objectColor = toRhinoColour(colour)
  }
  if (material !== undefined) {
    attributes.materialSource = rhino.ObjectMaterialSource.MaterialFromObject
    attributes.materialIndex = material
  }
  for (const [key, value] of userStrings) attributes.setUserString(key, value)
  return attributes
}

const toRhinoColour = ({ red: r, green: g, blue: b, alpha: a }: Colour) => ({ r, g, b, a })

/** The first line of openNURBS's report on an invalid object; undefined for a valid one. */
function findInvalidReason(geometry: HeldGeometry): string | undefined {
  const [isValid, log] = geometry.isValidWithLog as unknown as [boolean, string]
  return isValid ? undefined : log.trim().split('\n')[0] || 'openNURBS calls it invalid.'
}
