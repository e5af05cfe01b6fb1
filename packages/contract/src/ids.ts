import Type, { type Static } from 'typebox'

/** The id of a folder: an opaque string issued by the service. */
export type FolderId = string & { readonly __brand: 'FolderId' }
/** The id of a document: an opaque string issued by the service. */
export type DocumentId = string & { readonly __brand: 'DocumentId' }
/** The id of a solution: distinguishes the solves of a document. */
export type SolutionId = string & { readonly __brand: 'SolutionId' }
/** The id of a team. It never appears on the wire: the token determines the team. */
export type TeamId = string & { readonly __brand: 'TeamId' }
/** The id of an API token: names it in lists and when it is revoked; not the token itself. */
export type TokenId = string & { readonly __brand: 'TokenId' }
/** The id of a person. */
export type UserId = string & { readonly __brand: 'UserId' }
/** The id of a file of the tree that is not a document, such as a model. */
export type TeamFileId = string & { readonly __brand: 'TeamFileId' }
/** The id of a version of a document. */
export type VersionId = string & { readonly __brand: 'VersionId' }
/** The id of a thread of comments. */
export type ThreadId = string & { readonly __brand: 'ThreadId' }
/** The id of a comment. */
export type CommentId = string & { readonly __brand: 'CommentId' }
/** The id of a named view. */
export type ViewId = string & { readonly __brand: 'ViewId' }
/** The id of something in the bin. */
export type BinItemId = string & { readonly __brand: 'BinItemId' }
/** The id of a folder on the operator's disk that is mirrored. */
export type MirrorId = string & { readonly __brand: 'MirrorId' }
/** The id of an invitation: names it in lists and when it is withdrawn; not the secret itself. */
export type InvitationId = string & { readonly __brand: 'InvitationId' }
/** The id of a webhook. */
export type WebhookId = string & { readonly __brand: 'WebhookId' }
/** The id of a message to a webhook: the receiver sees it as `webhook-id`. */
export type DeliveryId = string & { readonly __brand: 'DeliveryId' }

export const FolderId = Type.Unsafe<FolderId>({ type: 'string', description: 'Opaque id of a folder.' })
export const DocumentId = Type.Unsafe<DocumentId>({ type: 'string', description: 'Opaque id of a document.' })
export const SolutionId = Type.Unsafe<SolutionId>({
  type: 'string',
  description: 'Opaque id of a solution, different for each solve of a document.',
})

/** ISO 8601 in UTC with milliseconds (contract, part 2). */
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 in UTC with milliseconds.',
  examples: ['2026-11-20T09:30:00.000Z'],
})
export type Timestamp = Static<typeof Timestamp>
