import { readChanges } from './changes.ts'
import { readDocument } from './document.ts'
import type { Endpoint } from './endpoint.ts'
import { requestExport } from './exports.ts'
import { readFolder } from './folders.ts'
import { searchDocuments } from './search.ts'
import { readSolution } from './solutions.ts'
import { readTeam } from './team.ts'

/** Every endpoint under the prefix, in the order in which they are described. */
export const API_ENDPOINTS: readonly Endpoint[] = [
  readTeam,
  readFolder,
  searchDocuments,
  readDocument,
  readSolution,
  requestExport,
  readChanges,
]
