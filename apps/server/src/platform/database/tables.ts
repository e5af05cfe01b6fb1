import type { AccessTables } from './tables/access.ts'
import type { ContentsTables } from './tables/contents.ts'
import type { LibraryTables } from './tables/library.ts'
import type { ServiceTables } from './tables/service.ts'
import type { SolvesTables } from './tables/solves.ts'
import type { TeamsTables } from './tables/teams.ts'
import type { UsesTables } from './tables/uses.ts'

export * from './tables/access.ts'
export * from './tables/column-types.ts'
export * from './tables/contents.ts'
export * from './tables/library.ts'
export * from './tables/service.ts'
export * from './tables/solves.ts'
export * from './tables/teams.ts'
export * from './tables/uses.ts'

/** The tables that are the same in both databases. */
export interface Tables
  extends AccessTables,
    ContentsTables,
    LibraryTables,
    ServiceTables,
    SolvesTables,
    TeamsTables,
    UsesTables {}
