import { openDiskBlobs } from '../../../platform/blobs/disk.ts'
import { jobSetup, serveJobs } from '../../../platform/processes/job-child.ts'
import type { BodyRequest, BodySetup, MadeBody } from './body-pool.ts'
import { makeBody } from './make-body.ts'

/** The process of a `BodyPool`: makes one body after the other. */
const { blobsFolder } = jobSetup as BodySetup
const blobs = await openDiskBlobs(blobsFolder)

serveJobs<BodyRequest, MadeBody>((request) => makeBody(request, blobs))
