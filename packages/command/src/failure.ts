/** A command has failed. The message is a sentence that says what the user can do. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure'
  /** The exit code of the process. */
  readonly exitCode: number

  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** The command was called incorrectly. */
export class UsageFailure extends CommandFailure {
  override readonly name = 'UsageFailure'

  constructor(message: string) {
    super(message, { exitCode: 2 })
  }
}

/** The report of an error: its sentence, and the other members that `--json` prints. */
export interface ErrorReport {
  readonly error: string
  readonly [member: string]: unknown
}

/** Returns a sentence about a failed call of the system. `reason` says in words what the code of the error means. */
export function describeSystemError(error: unknown, reason: string): string {
  const { path } = error as NodeJS.ErrnoException
  return path ? `"${path}" cannot be used: ${reason}.` : `That did not work: ${reason}.`
}
