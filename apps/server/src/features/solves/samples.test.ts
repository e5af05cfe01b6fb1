import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { DocumentId, SolutionId } from '@meadow/contract'
import { readDefinition } from '@meadow/grasshopper'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { atEnd } from '../../testing/at-end.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { openSolver } from './solver.ts'

const SAMPLES = fileURLToPath(new URL('../../../../../../shared/samples', import.meta.url))

/** Many times the time of the slowest sample; so little memory that a leak of a megabyte or two for each sample fails. */
const LIMITS = { timeMs: 60_000, memoryMb: 160 }

test('[JOB-13] given real definitions, when one solver solves all of them, then none crashes it, hangs, or leaks memory', {
  skip: !existsSync(SAMPLES) && 'the samples are not beside the project',
}, async (t) => {
  const crashes: unknown[] = []
  const blobsFolder = await createFolder(t)
  const blobs = await openDiskBlobs(blobsFolder)
  const onCrash = (error: unknown) => crashes.push(error)
  const solver = openSolver({ blobsFolder, limits: LIMITS, processes: 1, onCrash })
  atEnd(t, async () => solver[Symbol.asyncDispose]())
  const faults: string[] = []
  for (const path of globSync('**/*.{gh,ghx}', { cwd: SAMPLES })) {
    const bytes = readFileSync(join(SAMPLES, path))
    const { content } = readDefinition(bytes)
    const request = {
      documentId: 'doc_1' as DocumentId,
      solutionId: 'sol_1' as SolutionId,
      content: { seq: 1, bytes: Buffer.from(JSON.stringify(content)) },
      original: (await blobs.put(bytes)).digest,
    }
    const outcome = (await solver.solve(request, new AbortController().signal))!
    const reason = outcome.state === 'failed' ? outcome.reason : outcome.files.modelFault
    if (reason !== undefined && !/in a circle/.test(reason)) faults.push(`${path}: ${reason}`)
  }
  assert.deepEqual([faults, crashes], [[], []])
})
