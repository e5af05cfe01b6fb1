import { METERS_PER_UNIT, type Unit } from '@meadow/contract/terms'
import type { ModelFacts } from '@meadow/contract/web'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'

const MAX_NAME_LENGTH = 200
const MAX_NOTES_LENGTH = 5000

/** Cuts a text that people typed, so that facts stay small. */
export function cut(text: string, maxLength = MAX_NAME_LENGTH): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`
}

/** Who created and last changed a file, and when. Source: `ON_3dmRevisionHistory::Read`. */
export function readRevisions(
  body: ChunkReader,
): Pick<ModelFacts, 'createdBy' | 'createdAt' | 'editedBy' | 'editedAt' | 'revision'> {
  body.version()
  const createdBy = cut(body.text()) || null
  const createdAt = readTime(body)
  const editedBy = cut(body.text()) || null
  const editedAt = readTime(body)
  return { createdBy, createdAt, editedBy, editedAt, revision: Math.max(0, body.int32()) }
}

/** Reads C's `struct tm` in UTC; null for a time that was not set, or is invalid. */
function readTime(body: ChunkReader): string | null {
  const [second, minute, hour, day, month, yearsSince1900] = Array.from({ length: 8 }, () => body.int32())
  const year = yearsSince1900! + 1900
  const time = Date.UTC(year, month, day, hour, minute, second)
  return year > 1970 && year < 10_000 && time > 0 ? new Date(time).toISOString() : null
}

const DOTTED_NUMBER = /Rhinoceros.{0,40}?(\d+(?:\.\d+)+)/

/**
 * Reads which application wrote a file; `comment` is its first chunk, which has the version.
 * Source: `ON_3dmApplication::Read`.
 */
export function readApplication(
  body: ChunkReader,
  comment: string,
): Pick<ModelFacts, 'application' | 'applicationVersion'> {
  body.version()
  const application = cut(body.text()) || null
  const version = DOTTED_NUMBER.exec(comment)?.[1]
  return { application, applicationVersion: version === '0.0' ? null : (version ?? null) }
}

/** Source: `ON_3dmNotes::Read`. */
export function readNotes(body: ChunkReader): string {
  body.version()
  body.skip(4)
  return cut(body.text().replaceAll('\r\n', '\n').trim(), MAX_NOTES_LENGTH)
}

/** The members of openNURBS' `ON::LengthUnitSystem`. */
const UNITS: Readonly<Record<number, Unit>> = {
  0: 'none',
  1: 'microns',
  2: 'millimeters',
  3: 'centimeters',
  4: 'meters',
  5: 'kilometers',
  6: 'microinches',
  7: 'mils',
  8: 'inches',
  9: 'feet',
  10: 'miles',
  12: 'angstroms',
  13: 'nanometers',
  14: 'decimeters',
  15: 'dekameters',
  16: 'hectometers',
  17: 'megameters',
  18: 'gigameters',
  19: 'yards',
  20: 'printer points',
  21: 'printer picas',
  22: 'nautical miles',
  23: 'astronomical units',
  24: 'light years',
  25: 'parsecs',
}
const CUSTOM_UNITS = 11

/** Source: `ON_3dmUnitsAndTolerances::Read`. */
export function readUnits(body: ChunkReader): ModelFacts['units'] {
  const version = body.int32()
  if (version < 100 || version >= 200) return null
  const unit = body.int32()
  const absoluteTolerance = body.float64()
  const angleToleranceDegrees = (body.float64() * 180) / Math.PI
  const [name, metersPerUnit] = unit === CUSTOM_UNITS ? readCustomUnit(body, version) : readUnit(UNITS[unit])
  return { name, metersPerUnit: metersPerUnit || null, absoluteTolerance, angleToleranceDegrees }
}

/** Returns the name of a unit and its length in meters, which is 0 if it has no known length. */
function readUnit(unit: Unit | undefined): readonly [name: string, meters: number] {
  return [unit ?? 'unknown units', unit && unit !== 'none' ? METERS_PER_UNIT[unit] : 0]
}

function readCustomUnit(body: ChunkReader, version: number): readonly [name: string, meters: number] {
  if (version < 102) return ['custom units', 0]
  // Skips the relative tolerance, and how lengths are shown.
  body.skip(8 + 4 + 4)
  const metersPerUnit = body.float64()
  return [cut(body.text()) || 'custom units', metersPerUnit]
}
