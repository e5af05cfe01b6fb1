import type { DataValue, ValueType } from '@meadow/document'
import { findGeometryClass } from './pack-geometry.ts'

/** The class of each kind of value, named where a port holds values of any kind. */
const CLASSES: Partial<Record<ValueType, string>> = {
  boolean: 'GH_Boolean',
  integer: 'GH_Integer',
  number: 'GH_Number',
  string: 'GH_String',
  colour: 'GH_Colour',
  domain: 'GH_Interval',
  vector: 'GH_Vector',
  plane: 'GH_Plane',
  point: 'GH_Point',
  line: 'GH_Line',
  circle: 'GH_Circle',
  rectangle: 'GH_Rectangle',
  box: 'GH_Box',
  curve: 'GH_Curve',
  surface: 'GH_Surface',
  brep: 'GH_Brep',
  mesh: 'GH_Mesh',
  path: 'GH_StructurePath',
}

/** `Grasshopper.Kernel.Types.GH_Number`; undefined for what has no class that is known. */
export function findValueClass(value: DataValue): string | undefined {
  const geometryClass = value.geometry && findGeometryClass(value)
  const isOwnKind = geometryClass === 'Extrusion' || geometryClass === 'SubD'
  const name = isOwnKind ? `GH_${geometryClass}` : CLASSES[value.type]
  return name && `Grasshopper.Kernel.Types.${name}`
}
