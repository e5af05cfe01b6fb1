import { openModelLibrary } from '@meadow/model'
import { openJobBlobs, serveJobs } from '../../platform/processes/job-child.ts'
import { type ExportRequest, type MadeFile, makeFile } from './make-file.ts'

/** The child process of an `ExportMaker`: makes one file after the other. */
const blobs = (await openJobBlobs())!
const library = openModelLibrary()

serveJobs<ExportRequest, MadeFile>((request) => makeFile(request, { blobs, library }))
