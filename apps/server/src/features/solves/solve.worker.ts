import { parentPort, workerData } from 'node:worker_threads'
import { openModelLibrary } from '@meadow/model'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { solveDocument } from './solve-document.ts'
import type { SolveRequest, SolverMessage, SolverSetup } from './solve-request.ts'

/** The thread of a `SolverThread`: solves one document after the other. What it throws ends it, and its job fails. */
const { blobsFolder } = workerData as SolverSetup
const port = parentPort!
const blobs = await openDiskBlobs(blobsFolder)
const library = openModelLibrary()
const say = (message: SolverMessage) => port.postMessage(message)

port.on('message', async (request: SolveRequest) => say(await solveDocument(request, blobs, library)))
say('ready')
