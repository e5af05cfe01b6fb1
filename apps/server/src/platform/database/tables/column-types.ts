import type { ColumnType } from 'kysely'

/** Tables are joined by integer keys. They never leave the process: APIs show public ids. */
export type TeamKey = number & { readonly __brand: 'TeamKey' }
export type FolderKey = number & { readonly __brand: 'FolderKey' }
export type DocumentKey = number & { readonly __brand: 'DocumentKey' }
export type TeamFileKey = number & { readonly __brand: 'TeamFileKey' }
export type TokenKey = number & { readonly __brand: 'TokenKey' }
export type SolveKey = number & { readonly __brand: 'SolveKey' }
export type ExportFileKey = number & { readonly __brand: 'ExportFileKey' }
export type LinkKeyId = number & { readonly __brand: 'LinkKeyId' }
export type MirrorKey = number & { readonly __brand: 'MirrorKey' }
export type MirrorRunKey = number & { readonly __brand: 'MirrorRunKey' }
export type BinKey = number & { readonly __brand: 'BinKey' }
export type VersionKey = number & { readonly __brand: 'VersionKey' }
export type VersionBaseKey = number & { readonly __brand: 'VersionBaseKey' }
export type VersionSourceKey = number & { readonly __brand: 'VersionSourceKey' }
export type UsedThingKey = number & { readonly __brand: 'UsedThingKey' }
export type WebhookKey = number & { readonly __brand: 'WebhookKey' }
export type ThreadKey = number & { readonly __brand: 'ThreadKey' }
export type CommentKey = number & { readonly __brand: 'CommentKey' }
export type ViewKey = number & { readonly __brand: 'ViewKey' }
export type DeliveryKey = number & { readonly __brand: 'DeliveryKey' }

/** A key that the database assigns: read with its brand, never written. */
export type Key<T> = ColumnType<T, never, never>

/** Points in time are integers: milliseconds since 1970, UTC. */
export type Milliseconds = number

/** A lease of one process, whose id is new with every lease. Both are null while no process has it. */
export interface Leased {
  claimed_by: string | null
  /** When the lease expires unless it is renewed. */
  lease_until: Milliseconds | null
}
