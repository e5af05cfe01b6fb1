/** The ids of openNURBS classes that are read or written here. Source: `ON_OBJECT_IMPLEMENT` in openNURBS. */
export const CLASS = {
  point: 'c3101a1d-f157-11d3-bfe7-0010830122f0',
  lineCurve: '4ed7d4db-e947-11d3-bfe5-0010830122f0',
  nurbsCurve: '4ed7d4dd-e947-11d3-bfe5-0010830122f0',
  nurbsSurface: '4ed7d4de-e947-11d3-bfe5-0010830122f0',
  planeSurface: '4ed7d4df-e947-11d3-bfe5-0010830122f0',
  polyCurve: '4ed7d4e0-e947-11d3-bfe5-0010830122f0',
  mesh: '4ed7d4e4-e947-11d3-bfe5-0010830122f0',
  polylineCurve: '4ed7d4e6-e947-11d3-bfe5-0010830122f0',
  arcCurve: 'cf33be2a-09b4-11d4-bffb-0010830122f0',
  brep: '60b5dbc5-e660-11d3-bfe4-0010830122f0',
  revolvedSurface: 'a16220d3-163b-11d4-8000-0010830122f0',
  sumSurface: 'c4cd5359-446d-4690-9ff5-29059732472b',
  extrusion: '36f53175-72b8-4d47-bf1f-b4e6fc24f4b9',
  subD: 'f09ba4d9-455b-42c3-ba3b-e6ccacef853b',
  pointCloud: '2488f347-f8fa-11d3-bfec-0010830122f0',
  hatch: '0559733b-5332-49d1-a936-0532ac76ade5',
  textDot: '74198302-cdf4-4f95-9609-6d684f22ab37',
  instanceReference: 'f9cfb638-b9d4-4340-87e3-c56e7865d96a',
  instanceDefinition: '26f8bff6-2618-417f-a158-153d64a94989',
  userStrings: 'ce28de29-f4c5-4faa-a50a-c3a6849b6329',
  layer: '95809813-e985-11d3-bfe5-0010830122f0',
} as const

/** Rhino's own classes, whose data is that of the openNURBS class. Source: `ON_BinaryArchive::ReadObject`. */
const TWINS: ReadonlyMap<string, string> = new Map([
  ['5eaf1119-0b51-11d4-bffe-0010830122f0', CLASS.nurbsCurve],
  ['4760c817-0be3-11d4-bffe-0010830122f0', CLASS.nurbsSurface],
  ['f06fc243-a32a-4608-9dd8-a7d2c4ce2a36', CLASS.brep],
  ['0a8401b6-4d34-4b99-8615-1b4e723dc4e5', CLASS.revolvedSurface],
  ['665f6331-2a66-4cce-81d0-b5eebd9b5417', CLASS.sumSurface],
])

/** The openNURBS class with this data format. */
export function toClassId(id: string): string {
  return TWINS.get(id) ?? id
}

export const NIL_ID = '00000000-0000-0000-0000-000000000000'
