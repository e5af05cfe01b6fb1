import type { File3dm, GeometryBase, Layer, RhinoModule, UnitSystem } from 'rhino3dm'
import type { ModelOptions, ModelUnits } from '../file/model-input.ts'
import type { ModelPlan, PlannedObject } from '../file/plan-objects.ts'
import { createLayerId } from '../file/value-location.ts'
import { decodeObject, type HeldGeometry, hold, type Library } from './library.ts'
import type { DraftModel, Remark } from './requests.ts'
import { writeBytes } from './write-bytes.ts'

/** Writes the planned objects to a .3dm file. Its dates and object ids are still random. */
export function writeDraft({ rhino }: Library, plan: ModelPlan, options: ModelOptions): DraftModel {
  using file = hold(new rhino.File3dm())
  file.applicationName = 'Meadow'
  setUnits(rhino, file, options.units)
  addLayers(rhino, file, plan, options)
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

const UNIT_SYSTEMS = {
  none: 'None',
  millimeters: 'Millimeters',
  centimeters: 'Centimeters',
  meters: 'Meters',
  inches: 'Inches',
  feet: 'Feet',
} as const satisfies Record<ModelUnits, keyof typeof UnitSystem>

function setUnits(rhino: RhinoModule, file: File3dm, units: ModelUnits): void {
  using settings = hold(file.settings())
  settings.modelUnitSystem = rhino.UnitSystem[UNIT_SYSTEMS[units]]
}

function addLayers(
  rhino: RhinoModule,
  file: File3dm,
  { layers }: ModelPlan,
  { documentId }: ModelOptions,
): void {
  using table = hold(file.layers())
  for (const { name, nodeInstanceId } of layers) {
    using layer = hold(new rhino.Layer() as Layer & { id: string })
    layer.name = name
    layer.id = createLayerId(documentId, nodeInstanceId)
    table.add(layer)
  }
}

function createAttributes(rhino: RhinoModule, { name, layer, colour, userStrings }: PlannedObject) {
  const attributes = hold(new rhino.ObjectAttributes())
  attributes.name = name
  attributes.layerIndex = layer
  if (colour) {
    const { red: r, green: g, blue: b, alpha: a } = colour
    attributes.colorSource = rhino.ObjectColorSource.ColorFromObject
    attributes.objectColor = { r, g, b, a }
  }
  for (const [key, value] of userStrings) attributes.setUserString(key, value)
  return attributes
}

/** The first line of openNURBS's report on an invalid object; undefined for a valid one. */
function findInvalidReason(geometry: HeldGeometry): string | undefined {
  const [isValid, log] = geometry.isValidWithLog as unknown as [boolean, string]
  return isValid ? undefined : log.trim().split('\n')[0] || 'openNURBS calls it invalid.'
}
