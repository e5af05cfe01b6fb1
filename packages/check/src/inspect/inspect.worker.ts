import { openModelLibrary } from '@meadow/model'
import { serveJobs } from '@meadow/processes/child'
import { inspectDefinition } from './inspect-definition.ts'
import type { Inspection, InspectRequest } from './inspection.ts'

/** The child process of a check, which inspects one definition after the other. */
const library = openModelLibrary()

serveJobs<InspectRequest, Inspection>((request, progress) =>
  inspectDefinition(request, { library, progress }),
)
