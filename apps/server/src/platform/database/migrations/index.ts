import type { Migration } from '../migrate.ts'
import { teamsAndDocuments } from './0001-teams-and-documents.ts'
import { solves } from './0002-solves.ts'

/** In the order in which they run; a new one goes to the end. */
export const MIGRATIONS: readonly Migration[] = [teamsAndDocuments, solves]
