import Type from 'typebox'
import { endpoint } from './endpoint.ts'
import { Timestamp } from './ids.ts'

export const EXPORT_FORMATS = ['.gh', '.3dm'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const MODELER_VERSIONS = ['7', '8', '9'] as const

export const Export = Type.Object(
  {
    url: Type.String({ format: 'uri', description: 'Stops working at expiresAt. Needs no header.' }),
    expiresAt: Timestamp,
  },
  { $id: 'Export', description: 'A download link for a file.' },
)

export const requestExport = endpoint({
  name: 'requestExport',
  path: '/documents/:documentId/export',
  summary: 'A download link for the document as .gh, or its solution as .3dm.',
  scope: 'exports:read',
  params: Type.Object({ documentId: Type.String() }),
  query: Type.Object({
    format: Type.Enum([...EXPORT_FORMATS]),
    modelerVersion: Type.Optional(
      Type.Enum([...MODELER_VERSIONS], { default: '9', description: 'With format=.3dm only.' }),
    ),
  }),
  response: Type.Object({ export: Export }),
  refuses: [
    'export_format_not_accepted',
    'modeler_version_not_accepted',
    'modeler_version_not_applicable',
    'document_not_found',
    'never_solved',
    'solve_running',
    'solve_failed',
    'exports_not_made',
  ],
})
