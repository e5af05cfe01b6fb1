import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { SolutionId, Timestamp } from './ids.ts'
import { EXPORT_FORMATS, MODELER_VERSIONS } from './terms.ts'

/** The versions of the modeler, as they are in the response. */
export const ModelerVersion = Type.Enum([7, 8, 9])
export type ModelerVersion = Static<typeof ModelerVersion>

/** The versions that can be written: `modelerVersion` 9 gets the newest of these, which it opens (decision 29). */
export const ArchiveVersion = Type.Enum([7, 8])
export type ArchiveVersion = Static<typeof ArchiveVersion>

export const Export = Type.Object(
  {
    url: Type.String({ format: 'uri', description: 'Stops working at expiresAt. Needs no header.' }),
    expiresAt: Timestamp,
    format: Type.Enum([...EXPORT_FORMATS]),
    modelerVersion: Type.Union([ModelerVersion, Type.Null()], { description: 'Null for .gh.' }),
    archiveVersion: Type.Union([ArchiveVersion, Type.Null()], {
      description:
        "The version in the file's header: 7 or 8. For a modelerVersion of 9 it is 8, which that version opens. " +
        'Null for .gh.',
    }),
    fileName: Type.String({
      description: "The document's name with the extension.",
      examples: ['Tower.3dm'],
    }),
    size: Type.Integer({ description: 'Of the file, in bytes.' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the file.' }),
    solutionId: SolutionId,
    completeness: Type.Union([Type.Ref('Completeness'), Type.Null()], {
      description: 'Of that solution; null if it was made before this was recorded.',
    }),
    warnings: Type.Array(Type.String(), {
      description: 'What of the document the file could not hold, or not as it is; empty for most.',
    }),
  },
  { $id: 'Export', description: 'A download link for a file.' },
)
/** Decision 29. */
export type Export = Static<typeof Export>

export const requestExport = endpoint({
  name: 'requestExport',
  path: '/documents/:documentId/export',
  summary: 'A download link for the document as .gh, or its solution as .3dm.',
  description:
    'The file is created on the first request, which can take a while, and cached. A .gh holds the document as it is ' +
    'now, a .3dm the most recent solution that succeeded. The link answers GET and HEAD with or without `Range`, ' +
    'rejects API tokens, and ends early when the token that asked for it is revoked.',
  scope: 'exports:read',
  params: Type.Object({ documentId: Type.String() }),
  query: Type.Object({
    format: Type.Enum([...EXPORT_FORMATS]),
    modelerVersion: Type.Optional(
      Type.Enum([...MODELER_VERSIONS], { default: '9', description: 'With format=.3dm only.' }),
    ),
  }),
  response: Type.Object({ export: Export }),
  errors: [
    'export_format_not_accepted',
    'modeler_version_not_accepted',
    'modeler_version_not_applicable',
    'document_not_found',
    'never_solved',
    'solve_running',
    'solve_failed',
    'model_missing',
    'export_not_made',
    'export_not_in_time',
    'stopping',
  ],
})
