import { openModelLibrary } from '@meadow/model'
import { jobSetup, openJobBlobs, serveJobs } from '../../platform/processes/job-child.ts'
import { type MissingReferences, solveDocument, type UnfinishedSolve } from './solve-document.ts'
import type { SolveRequest, SolverSetup } from './solver.ts'
import type { Outcome } from './solves.store.ts'

/** The child process of a `Solver`: solves one document after the other. */
const { limits } = jobSetup as SolverSetup
const blobs = (await openJobBlobs())!
const library = openModelLibrary()

serveJobs<SolveRequest, Outcome | UnfinishedSolve | MissingReferences>((request, progress) =>
  solveDocument(request, { blobs, library, limits, progress }),
)
