import Type, { type Static } from 'typebox'
import { FoundDocument } from '../search.ts'
import { DocumentParams } from './app-documents.ts'
import { appEndpoint } from './app-endpoint.ts'
import { TeamParams } from './team-settings.ts'

/**
 * What documents are found by, with what `key` is:
 * - `component`: the GUID of a component, parameter or other kind of node.
 * - `plugin`: a plug-in; `version` restricts it to one version.
 * - `cluster`: the name of a cluster, folded.
 * - `script`: a part of the text of a script, in any case.
 * - `language`: the language of a script.
 * - `library`: a module, namespace or package that a script imports, in lower case.
 * - `revit`: the unique id of an element of a Revit document, in lower case.
 * - `object`: the id of an object in a Rhino model.
 * - `model`: the id of a model file, whose objects are looked for.
 * - `item`: the id of a user object or cluster file; nodes that have its name or name its file are looked for.
 */
export const USE_KINDS = [
  'component',
  'plugin',
  'cluster',
  'script',
  'language',
  'library',
  'revit',
  'object',
  'model',
  'item',
] as const
export const UseKind = Type.Enum([...USE_KINDS])
export type UseKind = (typeof USE_KINDS)[number]

/** The shortest part of a script that is searched for, in characters. */
export const MIN_SCRIPT_TEXT = 2
/** The longest key. */
const MAX_KEY = 300
/** The number of documents of an answer; there is no paging. */
export const USES_LIMIT = 200
/** The number of suggestions. */
export const SUGGESTIONS_LIMIT = 20

const UseReference = {
  kind: UseKind,
  key: Type.String({ minLength: 1, maxLength: MAX_KEY }),
  version: Type.Optional(Type.String({ maxLength: MAX_KEY })),
}
export type UseReference = { kind: UseKind; key: string; version?: string }

/** How far the index is behind. An answer is complete when all three are 0. */
export const IndexState = Type.Object({
  /** The documents whose last change is not in the index yet. */
  pending: Type.Integer(),
  /** The documents that take too much time or memory to read. */
  unread: Type.Integer(),
  /** The documents of which a part is not known, for example a cluster behind a password. */
  partial: Type.Integer(),
})
export type IndexState = Static<typeof IndexState>

const Counts = {
  /** The documents that use it. */
  documents: Type.Integer(),
  /** The nodes that do, in all of these documents and in their clusters. */
  nodes: Type.Integer(),
}

export const SuggestedUse = Type.Object({
  ...UseReference,
  name: Type.String(),
  /** A category or a plug-in; empty where nothing more is known. */
  detail: Type.String(),
  ...Counts,
})
export type SuggestedUse = Static<typeof SuggestedUse>

const FolderFilter = Type.Optional(Type.String({ description: 'Only this folder and everything inside it.' }))

/** What the documents of a team use, by a part of its name or by its id. Without `q`: the plug-ins. */
export const suggestUses = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/uses/suggestions',
  needs: 'viewer',
  params: TeamParams,
  query: Type.Object({ q: Type.Optional(Type.String({ maxLength: MAX_KEY })), folderId: FolderFilter }),
  response: Type.Object({
    suggestions: Type.Array(SuggestedUse),
    /** Whether more than 20 match. */
    truncated: Type.Boolean(),
    index: IndexState,
  }),
  errors: ['folder_not_found', 'folder_of_another_team'],
})

export const UsingDocument = Type.Object({
  ...FoundDocument.properties,
  /** The nodes of the document itself. */
  nodes: Type.Integer(),
  /** The nodes inside its clusters. */
  nested: Type.Integer(),
})
export type UsingDocument = Static<typeof UsingDocument>

/** The documents that use something, the most recently changed first. */
export const findUses = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/uses',
  needs: 'viewer',
  params: TeamParams,
  query: Type.Object({ ...UseReference, folderId: FolderFilter }),
  response: Type.Object({
    /** Undefined: nothing in the team is known by this key. For scripts, it has the text that was searched for. */
    use: Type.Optional(Type.Object({ name: Type.String(), detail: Type.String() })),
    /** Of a plug-in: its versions, the most used first. */
    versions: Type.Array(Type.Object({ version: Type.String(), ...Counts })),
    ...Counts,
    /** The first 200 of them. */
    usedBy: Type.Array(UsingDocument),
    index: IndexState,
  }),
  errors: ['folder_not_found', 'folder_of_another_team'],
})

/** A node that uses something. */
export const UsingNode = Type.Object({
  /** For a node inside a cluster: the outermost cluster. */
  nodeInstanceId: Type.String(),
  name: Type.String(),
  nickName: Type.String(),
  /** The names of the clusters that it is in, from the document inwards. */
  clusters: Type.Array(Type.String()),
  /** Of a script: the first line that contains the text, and its number. */
  line: Type.Optional(Type.Object({ number: Type.Integer(), text: Type.String() })),
})
export type UsingNode = Static<typeof UsingNode>

/** The nodes of a document that use something, read from the document as it is now. */
export const listUsingNodes = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/uses',
  needs: 'viewer',
  params: DocumentParams,
  query: Type.Object(UseReference),
  response: Type.Object({
    /** The first thousand. Null: the document takes too much time or memory to read. */
    nodes: Type.Union([Type.Array(UsingNode), Type.Null()]),
  }),
})

/** What several documents use, read from an address: `component:<GUID>`, `plugin:<id>@<version>`. */
export function readUseReference(text: string): UseReference | undefined {
  const colon = text.indexOf(':')
  const kind = USE_KINDS.find((known) => known === text.slice(0, colon))
  const rest = text.slice(colon + 1)
  if (!kind || rest === '') return undefined
  const at = kind === 'plugin' ? rest.lastIndexOf('@') : -1
  return at > 0 ? { kind, key: rest.slice(0, at), version: rest.slice(at + 1) } : { kind, key: rest }
}

/** The opposite of `readUseReference`. */
export const formatUseReference = ({ kind, key, version }: UseReference): string =>
  `${kind}:${key}${version ? `@${version}` : ''}`
