import { openModelLibrary } from '@meadow/model'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { jobSetup, serveJobs } from '../../platform/processes/job-child.ts'
import { type ExportRequest, type ExportSetup, type MadeFile, makeFile } from './make-file.ts'

/** The child process of an `ExportMaker`: makes one file after the other. */
const { blobsFolder } = jobSetup as ExportSetup
const blobs = await openDiskBlobs(blobsFolder)
const library = openModelLibrary()

serveJobs<ExportRequest, MadeFile>((request) => makeFile(request, { blobs, library }))
