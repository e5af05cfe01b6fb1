import { openJobBlobs, serveJobs } from '../../platform/processes/job-child.ts'
import {
  type CopyRequest,
  createHistoryWork,
  type EncodeRequest,
  type OpenRequest,
  type ProjectRequest,
  type ReplaceRequest,
  type RestoreRequest,
} from './history-work.ts'

/** The child process of a history pool. */
const work = createHistoryWork((await openJobBlobs())!)
const GROUP = ''

serveJobs<
  EncodeRequest | ProjectRequest | RestoreRequest | ReplaceRequest | OpenRequest | CopyRequest,
  unknown
>(async (request) => {
  if (request.kind === 'encode') return work.encode(request, GROUP)
  if (request.kind === 'project') return work.project(request, GROUP)
  if (request.kind === 'restore') return work.restore(request, GROUP)
  if (request.kind === 'replace') return work.replace(request, GROUP)
  if (request.kind === 'open') return work.open(request, GROUP)
  return work.copy(request, GROUP)
})
