import type { ModelFacts, ObjectType, UnreadPart } from '@meadow/contract/web'

const OBJECT_NAMES: Readonly<Record<ObjectType, readonly [one: string, many: string]>> = {
  point: ['point', 'points'],
  point_cloud: ['point cloud', 'point clouds'],
  curve: ['curve', 'curves'],
  surface: ['surface', 'surfaces'],
  brep: ['surface or polysurface', 'surfaces and polysurfaces'],
  extrusion: ['extrusion', 'extrusions'],
  subd: ['SubD', 'SubDs'],
  mesh: ['mesh', 'meshes'],
  block_instance: ['block instance', 'block instances'],
  text: ['text', 'texts'],
  dimension: ['dimension', 'dimensions'],
  leader: ['leader', 'leaders'],
  text_dot: ['text dot', 'text dots'],
  hatch: ['hatch', 'hatches'],
  light: ['light', 'lights'],
  clipping_plane: ['clipping plane', 'clipping planes'],
  detail: ['detail', 'details'],
  other: ['other object', 'other objects'],
}

/** Returns a text such as `12 curves`. */
export function describeCount({ type, count }: ModelFacts['objects'][number]): string {
  const [one, many] = OBJECT_NAMES[type]
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** Returns a text such as `Millimeters, tolerance 0.01 and 1°`. */
export function describeUnits(units: ModelFacts['units']): string {
  if (!units) return 'The file does not say'
  const name = units.name === 'none' ? 'No units' : units.name.charAt(0).toUpperCase() + units.name.slice(1)
  const angle = toShort(units.angleToleranceDegrees)
  return `${name}, tolerance ${toShort(units.absoluteTolerance)} and ${angle}°`
}

/** Writes a number without the digits that a conversion leaves. */
const toShort = (value: number): string => String(Number(value.toPrecision(6)))

/** Returns a text such as `Rhinoceros 8 (8.17.25029.6002), file format 8`. */
export function describeOrigin({ application, applicationVersion, archiveVersion }: ModelFacts): string {
  const format = `file format ${archiveVersion}`
  if (!application) return `Unknown, ${format}`
  const isNamed = !applicationVersion || application.includes(applicationVersion)
  return `${application}${isNamed ? '' : ` (${applicationVersion})`}, ${format}`
}

const PART_NAMES: Readonly<Record<UnreadPart, string>> = {
  properties: 'who made it and when',
  notes: 'the notes',
  units: 'the units',
  layers: 'some layers',
  materials: 'some materials',
  blocks: 'some blocks',
  objects: 'some objects',
  thumbnail: 'the preview',
}

/** Says what could not be read; returns undefined if everything was read. */
export function describeUnread({ unread }: ModelFacts): string | undefined {
  if (unread.length === 0) return undefined
  const parts = new Intl.ListFormat('en').format(unread.map((part) => PART_NAMES[part]))
  return `Meadow could not read ${parts} of this file. The file itself is complete.`
}

/** Returns a text such as `and 12 more`; undefined if all are shown. */
export const describeRest = (shown: number, all: number): string | undefined =>
  all > shown ? `and ${(all - shown).toLocaleString('en')} more` : undefined

/** The name of a layer without those of its parents. */
export const nameOfLayer = (path: string): string => path.split('::').at(-1)!
