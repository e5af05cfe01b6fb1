/** The types of value that stand for geometry without a short form. */
export type GeometryType = 'curve' | 'surface' | 'brep' | 'mesh' | 'unknown'

/** The type of value for a class of RhinoCommon, and its name in words: `Rhino.Geometry.LineCurve`, `Line curve`. */
export function describeGeometry(className: string): { type: GeometryType; description: string } {
  const name = className.slice(className.lastIndexOf('.') + 1)
  const [first = '', ...rest] = name.split(/(?<=[a-z])(?=[A-Z][a-z])/)
  return { type: findType(name), description: [first, ...rest.map((word) => word.toLowerCase())].join(' ') }
}

function findType(name: string): GeometryType {
  if (name.endsWith('Curve')) return 'curve'
  if (name.endsWith('Surface')) return 'surface'
  if (name === 'Brep' || name === 'Extrusion') return 'brep'
  return name === 'Mesh' ? 'mesh' : 'unknown'
}
