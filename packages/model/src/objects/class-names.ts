import { CLASS } from '../opennurbs/class-ids.ts'

/** What an object of a class is called in Rhino. Source: `ON_OBJECT_IMPLEMENT` in openNURBS. */
const NAMES: ReadonlyMap<string, string> = new Map([
  [CLASS.point, 'Point'],
  [CLASS.pointCloud, 'Point cloud'],
  [CLASS.lineCurve, 'Curve'],
  [CLASS.arcCurve, 'Curve'],
  [CLASS.polylineCurve, 'Curve'],
  [CLASS.polyCurve, 'Curve'],
  [CLASS.nurbsCurve, 'Curve'],
  [CLASS.nurbsSurface, 'Surface'],
  [CLASS.planeSurface, 'Surface'],
  [CLASS.revolvedSurface, 'Surface'],
  [CLASS.sumSurface, 'Surface'],
  [CLASS.brep, 'Brep'],
  [CLASS.extrusion, 'Extrusion'],
  [CLASS.mesh, 'Mesh'],
  [CLASS.subD, 'SubD'],
  [CLASS.instanceReference, 'Block'],
  [CLASS.hatch, 'Hatch'],
  [CLASS.textDot, 'Text dot'],
  ['57376349-62a9-4a16-b411-a46bcd544790', 'Text'],
  ['e550882b-f44d-4154-a1ef-6e50cbbbf543', 'Dimension'],
  ['d417786b-f6cd-4f12-9e1f-063f414dbeb6', 'Dimension'],
  ['fc749c2f-4c00-41fd-9840-26d94f047ad3', 'Dimension'],
  ['03124828-4c9b-4d28-9a82-664ddde7a14f', 'Dimension'],
  ['d46767ba-7e8f-4d9d-9a92-66050219a5b9', 'Centre mark'],
  ['945bf594-6ff9-4f5c-bfc0-b3af528f29d2', 'Leader'],
  ['85a08513-f383-11d3-bfe7-0010830122f0', 'Light'],
  ['c8c66efa-b3cb-4e00-9440-2ad66203379e', 'Detail view'],
  ['dbc5a584-ce3f-4170-98a8-497069ca5c36', 'Clipping plane'],
])

/**
 * Returns the name of a class; `Object` for a class that is not known here, such as one of a plug-in or an older
 * version.
 */
export function nameClass(classId: string): string {
  return NAMES.get(classId) ?? 'Object'
}
