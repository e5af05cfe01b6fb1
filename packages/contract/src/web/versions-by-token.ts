import Type, { type Static } from 'typebox'
import type { Cluster, GraphContent } from '../document.ts'
import type { DocumentFile } from '../document-file.ts'
import { endpoint } from '../endpoint.ts'
import { DocumentParams } from './app-documents.ts'
import { After, Next } from './bodies.ts'
import { DocumentVersion } from './versions.ts'

/*
 * Two reads of versions for API tokens, under the prefix of the API, as everything that takes a token. They are for the
 * command `meadow diff` and follow the web app: the contract of the API, its description and the SDKs do not have them.
 */

const { id, seq, at, kind, name, isPinned, nodes, wires, fileName } = DocumentVersion.properties

/** A version without the people who made and named it, whom no response of the API names. */
export const VersionForToken = Type.Object({ id, seq, at, kind, name, isPinned, nodes, wires, fileName })
export type VersionForToken = Static<typeof VersionForToken>

export const listVersionsByToken = endpoint({
  name: 'listVersionsByToken',
  path: '/documents/:documentId/versions',
  summary: 'The versions of a document that were kept until now, the newest first, 100 at a time.',
  scope: 'documents:read',
  params: DocumentParams,
  query: Type.Object({ after: After }),
  response: Type.Object({ versions: Type.Array(VersionForToken), next: Next }),
  errors: ['document_not_found'],
})

/** The status is 404 with the sentence of `version_not_found` when there is no such version. */
export const readVersionByToken = endpoint({
  name: 'readVersionByToken',
  path: '/documents/:documentId/versions/:versionId',
  summary: 'A document as it was in a version.',
  scope: 'documents:read',
  params: Type.Object({ documentId: Type.String(), versionId: Type.String() }),
  query: Type.Object({}),
  response: Type.Object({
    version: VersionForToken,
    document: Type.Unsafe<GraphContent & { file: DocumentFile | null; clusters: Record<string, Cluster> }>({
      type: 'object',
      description: 'nodes, groups, configuration, file and clusters as in the `Document` of the API.',
    }),
  }),
  errors: ['document_not_found'],
})
