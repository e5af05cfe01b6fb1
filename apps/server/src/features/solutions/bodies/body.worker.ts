import { parentPort, workerData } from 'node:worker_threads'
import { openDiskBlobs } from '../../../platform/blobs/disk.ts'
import { createBodyPoster } from '../../../platform/blobs/post-bodies.ts'
import type { BodyRequest, BodyThreadSetup } from './body-request.ts'
import { makeBody } from './make-body.ts'

/** The thread of `createBodyMaker`: makes one body after the other. What it throws ends it, and its request fails. */
const { blobsFolder, bodies } = workerData as BodyThreadSetup
const port = parentPort!
const blobs = await openDiskBlobs(blobsFolder)
const putBody = createBodyPoster(bodies)

port.on('message', async (request: BodyRequest) => port.postMessage(await makeBody(request, blobs, putBody)))
