import type { EditorSolution } from '@meadow/contract/web'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { toTimestamp } from '../../../platform/database/times.ts'
import type { StoredSolution } from '../solutions.store.ts'

/** What the editor shows of a solution, in numbers. */
export async function describeSolution(
  solution: StoredSolution,
  blobs: Pick<BlobStore, 'read'>,
): Promise<EditorSolution> {
  const { id, endedAt, durationMs, creditTenths, completeness, model, units } = solution
  const summary = solution.summary === null ? undefined : await blobs.read(solution.summary)
  const { messages, nodes, fingerprint } = summary ? readSummary(summary) : NO_SUMMARY
  return {
    id,
    solvedAt: toTimestamp(endedAt),
    durationMs,
    creditTenths,
    completeness,
    messages,
    ...(fingerprint !== undefined && { fingerprint }),
    nodes,
    hasGeometry: model !== undefined,
    units,
  }
}

type Summary = Pick<EditorSolution, 'messages' | 'nodes' | 'fingerprint'>

const NO_SUMMARY: Summary = { messages: [], nodes: {} }

const readSummary = (bytes: Uint8Array): Summary => JSON.parse(new TextDecoder().decode(bytes))
