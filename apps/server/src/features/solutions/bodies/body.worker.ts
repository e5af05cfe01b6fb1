import { parentPort, workerData } from 'node:worker_threads'
import { openDiskBlobs } from '../../../platform/blobs/disk.ts'
import type { BodyRequest, BodyThreadSetup } from './body-request.ts'
import { makeBody } from './make-body.ts'

/** The thread of `createBodyMaker`: makes one body after the other. What it throws ends it, and its request fails. */
const { blobsFolder } = workerData as BodyThreadSetup
const port = parentPort!
const blobs = await openDiskBlobs(blobsFolder)

port.on('message', async (request: BodyRequest) => port.postMessage(await makeBody(request, blobs)))
