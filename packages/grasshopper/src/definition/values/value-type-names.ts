import type { DataTree, ValueType } from '@meadow/document'

/** The parameter type that holds values of each kind. */
const TYPE_NAMES: Partial<Record<ValueType, string>> = {
  boolean: 'Boolean',
  integer: 'Integer',
  number: 'Number',
  string: 'Text',
  colour: 'Colour',
  domain: 'Domain',
  vector: 'Vector',
  plane: 'Plane',
  point: 'Point',
  line: 'Line',
  circle: 'Circle',
  rectangle: 'Rectangle',
  box: 'Box',
  curve: 'Curve',
  surface: 'Surface',
  brep: 'Brep',
  mesh: 'Mesh',
  path: 'Data Path',
}

/** The type of a port that nothing tells but the values that it keeps. */
export function findTypeNameOfValues(tree: DataTree | undefined): string | undefined {
  const first = tree?.branches.flatMap(({ values }) => values).find((value) => value !== null)
  return first && TYPE_NAMES[first.type]
}
