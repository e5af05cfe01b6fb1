/** The colour of a port by the type of its data, so that kinds of data can be told apart at a glance. */
export function portColour(typeName: string): string {
  return COLOURS[typeName] ?? '#8d979a'
}

const NUMBERS = '#3f8fd2'
const TEXTS = '#b0792e'
const SWITCHES = '#a4508b'
const PLACES = '#d05a4e'
const CURVES = '#7a58c1'
const BODIES = '#2a9f7a'

const COLOURS: Readonly<Record<string, string>> = {
  Number: NUMBERS,
  Integer: NUMBERS,
  Domain: NUMBERS,
  'Domain²': NUMBERS,
  Complex: NUMBERS,
  Text: TEXTS,
  'Data Path': TEXTS,
  Boolean: SWITCHES,
  Colour: SWITCHES,
  Point: PLACES,
  Vector: PLACES,
  Plane: PLACES,
  Line: CURVES,
  Circle: CURVES,
  Arc: CURVES,
  Rectangle: CURVES,
  Curve: CURVES,
  Surface: BODIES,
  Brep: BODIES,
  Mesh: BODIES,
  Box: BODIES,
  Geometry: BODIES,
}
