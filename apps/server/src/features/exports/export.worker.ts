import { parentPort, workerData } from 'node:worker_threads'
import { openModelLibrary } from '@meadow/model'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import type { ExportRequest, ExportThreadSetup } from './export-request.ts'
import { makeFile } from './make-file.ts'

/** The thread of an `ExportMaker`: makes one file after the other. What it throws ends it, and its request fails. */
const { blobsFolder } = workerData as ExportThreadSetup
const port = parentPort!
const blobs = await openDiskBlobs(blobsFolder)
const library = openModelLibrary()

port.on('message', async (request: ExportRequest) =>
  port.postMessage(await makeFile(request, { blobs, library })),
)
