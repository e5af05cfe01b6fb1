import { parentPort, workerData } from 'node:worker_threads'
import { openModelLibrary } from '@meadow/model'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { createBodyPoster } from '../../platform/blobs/post-bodies.ts'
import { solveDocument } from './solve-document.ts'
import { createSolvePlace } from './solve-place.ts'
import type { SolveRequest, SolverMessage, SolverSetup } from './solve-request.ts'

/** The thread of a `SolverThread`: solves one document after the other. What it throws ends it, and its job fails. */
const setup = workerData as SolverSetup
const port = parentPort!
const blobs = await openDiskBlobs(setup.blobsFolder)
const library = openModelLibrary()
const place = createSolvePlace(setup.place)
const putBody = createBodyPoster(setup.bodies)
const say = (message: SolverMessage) => port.postMessage(message)

port.on('message', async (request: SolveRequest) =>
  say(await solveDocument(request, { blobs, library, place, putBody })),
)
say('ready')
