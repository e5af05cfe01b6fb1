/** A fault, from its first moment until everything that it broke works again. Milliseconds of `performance.now()`. */
export interface Fault {
  /** Such as `kill serve 2`. */
  name: string
  begin: number
  /** Undefined while it lasts. */
  end: number | undefined
}

/** The time after the end of a fault in which requests may still fail. */
export const RECOVERY_MS = 5000

/** All faults of a run. */
export class FaultLog {
  readonly faults: Fault[] = []

  /** Runs a fault, whose `run` resolves when everything works again. */
  async record(name: string, run: () => Promise<void>): Promise<void> {
    const fault: Fault = { name, begin: performance.now(), end: undefined }
    this.faults.push(fault)
    try {
      await run()
    } finally {
      fault.end = performance.now()
    }
  }

  /** The time from the end of the last fault until `at`; 0 while there is one, Infinity before the first one. */
  sinceLast(at: number): number {
    return this.faults.reduce((least, { end = at }) => Math.min(least, Math.max(0, at - end)), Infinity)
  }

  /** How often each kind of fault happened; the kind is the first word of its name. */
  count(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const { name } of this.faults) {
      const kind = name.split(' ', 1)[0]!
      counts[kind] = (counts[kind] ?? 0) + 1
    }
    return counts
  }
}
