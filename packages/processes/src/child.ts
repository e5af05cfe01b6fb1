/** Records what a job is doing, for the sentence about its failure. */
export interface JobProgress {
  /** Sends a report to the caller of the job before its result, as plain JSON. */
  report(report: unknown): void
  /**
   * Notes the current step, which completes `It was …`. It is cheap enough to be called a hundred thousand times a
   * second.
   */
  note(step: string): void
}

/** Does what a request asks for. A job that throws fails with the error and ends the process. */
export type Job<Request, Result> = (request: Request, progress: JobProgress) => Promise<Result>

/** What a process starts with. */
export interface JobStart<Setup = unknown> {
  /** The setup of `startJobProcess`. */
  setup: Setup
  /** The secrets of the running job; undefined without the option `getSecrets`. */
  getSecrets(): unknown
}

/** A module that a child process loads when it starts, before its first job. */
export interface JobModule {
  // biome-ignore lint/suspicious/noExplicitAny: each module knows its own.
  createJob(start: JobStart<any>): Job<any, unknown> | Promise<Job<any, unknown>>
}

/**
 * Whether a single allocation was larger than JavaScript or the system allows. It throws, and does not end the process.
 */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof RangeError &&
  /allocation failed|^Invalid (typed )?(array|string) ?(buffer )?length/i.test(error.message)
