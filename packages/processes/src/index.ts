export {
  isKilled,
  JobFailure,
  type JobFailureKind,
  type JobLimits,
  type JobProcess,
  type JobProcessOptions,
  type OnReport,
  readUsage,
  startJobProcess,
} from './job-process.ts'
