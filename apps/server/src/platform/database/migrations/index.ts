import type { Migration } from '../migrate.ts'
import { teamsAndDocuments } from './0001-teams-and-documents.ts'

/** In the order in which they run; a new one goes to the end. */
export const MIGRATIONS: readonly Migration[] = [teamsAndDocuments]
