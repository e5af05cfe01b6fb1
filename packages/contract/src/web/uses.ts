import Type, { type Static } from 'typebox'
import { FoundDocument, IndexState } from '../search.ts'
import { DocumentParams } from './app-documents.ts'
import { appEndpoint } from './app-endpoint.ts'
import { Sharing } from './app-folders.ts'
import { TeamParams } from './team-settings.ts'

/**
 * The things by which documents are found, and the meaning of `key`:
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
/** The longest key, in characters. */
const MAX_KEY = 300
/** The maximum number of documents in a response; there is no paging. */
export const USES_LIMIT = 200
/** The maximum number of suggestions. */
export const SUGGESTIONS_LIMIT = 20

const UseReference = {
  kind: UseKind,
  key: Type.String({ minLength: 1, maxLength: MAX_KEY }),
  version: Type.Optional(Type.String({ maxLength: MAX_KEY })),
}
export type UseReference = { kind: UseKind; key: string; version?: string }

const Counts = {
  /** The number of documents that use it. */
  documents: Type.Integer(),
  /** The number of nodes that use it, in all of these documents and in their clusters. */
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

/** The things that documents of a team use, found by a part of their name or by their id. Without `q`, all plug-ins. */
export const suggestUses = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/uses/suggestions',
  needs: 'viewer',
  params: TeamParams,
  query: Type.Object({ q: Type.Optional(Type.String({ maxLength: MAX_KEY })), folderId: FolderFilter }),
  response: Type.Object({
    suggestions: Type.Array(SuggestedUse),
    /** Whether more than `SUGGESTIONS_LIMIT` things match. */
    truncated: Type.Boolean(),
    index: IndexState,
  }),
  errors: ['folder_not_found', 'folder_of_another_team'],
})

export const UsingDocument = Type.Object({
  ...FoundDocument.properties,
  visibility: Sharing,
  /** The number of nodes of the document itself that use it. */
  nodes: Type.Integer(),
  /** The number of nodes inside its clusters that use it. */
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
    /** The versions of a plug-in, the most used first. */
    versions: Type.Array(Type.Object({ version: Type.String(), ...Counts })),
    ...Counts,
    /** The first `USES_LIMIT` documents. */
    usedBy: Type.Array(UsingDocument),
    index: IndexState,
  }),
  errors: ['folder_not_found', 'folder_of_another_team'],
})

/** A node that uses something. */
export const UsingNode = Type.Object({
  /** The id of the node itself, or of the outermost cluster that contains it. */
  nodeInstanceId: Type.String(),
  name: Type.String(),
  nickName: Type.String(),
  /** The names of the clusters that it is in, from the document inwards. */
  clusters: Type.Array(Type.String()),
  /** The first line of a script that contains the text, and its number. */
  line: Type.Optional(Type.Object({ number: Type.Integer(), text: Type.String() })),
})
export type UsingNode = Static<typeof UsingNode>

/** The nodes of a document that use something, found in the document as it is now. */
export const listUsingNodes = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/uses',
  needs: 'viewer',
  params: DocumentParams,
  query: Type.Object(UseReference),
  response: Type.Object({
    /** The first thousand nodes. Null: the document takes too much time or memory to read. */
    nodes: Type.Union([Type.Array(UsingNode), Type.Null()]),
  }),
})

/** Reads what several documents use from an address, such as `component:<GUID>` or `plugin:<id>@<version>`. */
export function readUseReference(text: string): UseReference | undefined {
  const colon = text.indexOf(':')
  const kind = USE_KINDS.find((known) => known === text.slice(0, colon))
  const rest = text.slice(colon + 1)
  if (!kind || rest === '') return undefined
  const at = kind === 'plugin' ? rest.lastIndexOf('@') : -1
  return at > 0 ? { kind, key: rest.slice(0, at), version: rest.slice(at + 1) } : { kind, key: rest }
}

/** Formats a reference in the way that `readUseReference` reads. */
export const formatUseReference = ({ kind, key, version }: UseReference): string =>
  `${kind}:${key}${version ? `@${version}` : ''}`
