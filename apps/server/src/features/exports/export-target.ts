import {
  type ArchiveVersion,
  EXPORT_FORMATS,
  type ExportFormat,
  MODELER_VERSIONS,
  type ModelerVersion,
} from '@meadow/contract'
import { HttpError } from '../../http/http-error.ts'

/** What kind of file is asked for. */
export type ExportTarget =
  | { format: '.gh'; modelerVersion: null; archiveVersion: null }
  | { format: '.3dm'; modelerVersion: ModelerVersion; archiveVersion: ArchiveVersion }

/** What each version opens, and is the newest that can be written (decision 0012). */
const ARCHIVES: Record<ModelerVersion, ArchiveVersion> = { 7: 7, 8: 8, 9: 8 }

const NEWEST: ModelerVersion = 9

/** What says so in the file's own name for it. */
export const MEDIA_TYPES: Record<ExportFormat, string> = {
  '.gh': 'application/octet-stream',
  '.3dm': 'model/vnd.3dm',
}

/** The only 400 causes of the contract (part 7, rule 1); a repeated parameter is a value not accepted (decision 7). */
export function readTarget(query: URLSearchParams): ExportTarget {
  const formats = query.getAll('format')
  const versions = query.getAll('modelerVersion')
  const format = EXPORT_FORMATS.find((accepted) => formats.length === 1 && accepted === formats[0])
  if (!format) throw new HttpError('export_format_not_accepted')
  if (format === '.gh' && versions.length > 0) throw new HttpError('modeler_version_not_applicable')
  if (versions.length === 0) return toTarget(format)
  const version = MODELER_VERSIONS.find((accepted) => versions.length === 1 && accepted === versions[0])
  if (!version) throw new HttpError('modeler_version_not_accepted')
  return toTarget(format, Number(version) as ModelerVersion)
}

export function toTarget(format: ExportFormat, modelerVersion: ModelerVersion = NEWEST): ExportTarget {
  return format === '.gh'
    ? { format, modelerVersion: null, archiveVersion: null }
    : { format, modelerVersion, archiveVersion: ARCHIVES[modelerVersion] }
}
