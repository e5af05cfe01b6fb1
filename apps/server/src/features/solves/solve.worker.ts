import { openModelLibrary } from '@meadow/model'
import { jobSetup, openJobBlobs, serveJobs } from '../../platform/processes/job-child.ts'
import { solveDocument } from './solve-document.ts'
import type { SolveAnswer, SolveRequest, SolverSetup } from './solver.ts'

/** The child process of a `Solver`: solves one document after the other. */
const { limits } = jobSetup as SolverSetup
const blobs = (await openJobBlobs())!
const library = openModelLibrary()

serveJobs<SolveRequest, SolveAnswer>(async (request, progress) => {
  const start = process.cpuUsage()
  const result = await solveDocument(request, { blobs, library, limits, progress })
  const { user, system } = process.cpuUsage(start)
  return { result, cpuMs: Math.ceil((user + system) / 1000) }
})
