/** The units of length that a Rhino model can have, apart from custom ones, and their symbols. */
export const UNIT_SYMBOLS = {
  none: '',
  millimeters: 'mm',
  centimeters: 'cm',
  decimeters: 'dm',
  meters: 'm',
  kilometers: 'km',
  inches: 'in',
  feet: 'ft',
  yards: 'yd',
  miles: 'mi',
  angstroms: 'Å',
  nanometers: 'nm',
  microns: 'µm',
  dekameters: 'dam',
  hectometers: 'hm',
  megameters: 'Mm',
  gigameters: 'Gm',
  microinches: 'µin',
  mils: 'mil',
  'printer points': 'pt',
  'printer picas': 'pc',
  'nautical miles': 'nmi',
  'astronomical units': 'au',
  'light years': 'ly',
  parsecs: 'pc (parsec)',
} as const

export type Unit = keyof typeof UNIT_SYMBOLS

/** All units, with the common ones first. */
export const UNITS = Object.keys(UNIT_SYMBOLS) as Unit[]

/** The length of each unit in metres. A model without units is taken as one in metres. Source: openNURBS' `ON::LengthUnitSystem`. */
export const METERS_PER_UNIT: Readonly<Record<Unit, number>> = {
  none: 1,
  millimeters: 1e-3,
  centimeters: 1e-2,
  decimeters: 0.1,
  meters: 1,
  kilometers: 1e3,
  inches: 0.0254,
  feet: 0.3048,
  yards: 0.9144,
  miles: 1609.344,
  angstroms: 1e-10,
  nanometers: 1e-9,
  microns: 1e-6,
  dekameters: 10,
  hectometers: 100,
  megameters: 1e6,
  gigameters: 1e9,
  microinches: 2.54e-8,
  mils: 2.54e-5,
  'printer points': 0.0254 / 72,
  'printer picas': 0.0254 / 6,
  'nautical miles': 1852,
  'astronomical units': 149_597_870_700,
  'light years': 9.460_730_472_580_8e15,
  parsecs: 3.085_677_6e16,
}
