import { createHash } from 'node:crypto'
import type { ExportTarget } from './export-target.ts'
import type { Exportable, ExportFacts } from './exportable.ts'
import type { FileRecipe } from './exports.store.ts'

/** To be raised when what is written for the same input changes: then files are made again. */
const WRITTEN_AS = 1

/**
 * What decides the bytes of a file. A definition is of the document as its editors see it now, under the name that it
 * has now; a model is of a solve, and the same for each modeler version that gets the same archive.
 */
export function toRecipe(solution: Exportable, target: ExportTarget, facts: ExportFacts): FileRecipe {
  const { document, documentId, id, key } = solution
  if (target.format === '.3dm') {
    const madeOf = ['.3dm', WRITTEN_AS, target.archiveVersion, id].join(' ')
    return { madeOf, document, seq: null, solve: key }
  }
  const name = createHash('sha256').update(facts.name).digest('hex').slice(0, 16)
  const madeOf = ['.gh', WRITTEN_AS, documentId, facts.seq, name].join(' ')
  return { madeOf, document, seq: facts.seq, solve: null }
}
