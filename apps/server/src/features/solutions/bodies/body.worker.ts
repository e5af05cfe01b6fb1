import { openJobBlobs, serveJobs } from '../../../platform/processes/job-child.ts'
import type { BodyRequest, MadeBody } from './body-pool.ts'
import { makeBody } from './make-body.ts'

/** The process of a `BodyPool`: makes one body after the other. */
const blobs = (await openJobBlobs())!

serveJobs<BodyRequest, MadeBody>((request, { report }) => makeBody(request, blobs, report))
