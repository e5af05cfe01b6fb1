/*
 * The words and numbers of the API without its shapes. Importing this takes a millisecond; the shapes take a tenth of a
 * second, for the library that they are made with, which commands and workers do without.
 */

export * from './audit.ts'
export * from './errors.ts'
export * from './live.ts'
export * from './members.ts'
export * from './scopes.ts'
export * from './tokens.ts'
export * from './units.ts'
export * from './webhooks.ts'

/** The prefix of the API's addresses (contract, part 1). */
export const API_PREFIX = '/api/v1'

export const PORT_FLAGS = ['graft', 'flatten', 'simplify', 'reverse'] as const
export type PortFlag = (typeof PORT_FLAGS)[number]

/** Further switches of a port. */
export const PORT_OPTIONS = [
  'optional',
  'principal',
  'reparameterize',
  'degrees',
  'invert',
  'hidden',
  'locked',
] as const
/** How the wires into an input are drawn. A port has none of these when they are drawn as usual. */
export const WIRE_DISPLAYS = ['faint', 'hidden'] as const

/** Kinds of `unknown` values whose `properties` have names of their own. */
export const UNKNOWN_KINDS = [
  'revit',
  'material',
  'loftOptions',
  'meshSettings',
  'meshFace',
  'coordinateMask',
  'guid',
  'culture',
  'script',
] as const
export type UnknownKind = (typeof UNKNOWN_KINDS)[number]

export const EXPORT_FORMATS = ['.gh', '.3dm'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The versions of the modeler, as the parameter has them. */
export const MODELER_VERSIONS = ['7', '8', '9'] as const

/** How long a link to an export works (contract, part 8). */
export const LINK_LIFETIME_MS = 60 * 60 * 1000

const SIZE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** Formats a size, such as `1.5 GB`, in the same way as the server's messages. A KB has 1024 bytes. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toLocaleString('en', { maximumFractionDigits: 1 })} ${SIZE_UNITS[power]}`
}
