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
