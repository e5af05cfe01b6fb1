import type { Finished } from '@meadow/server/src/testing/run-here.ts'
import type { Fault, SeamCall } from '../points.ts'

/** What a host is asked for. */
export interface HostCalls {
  /** Starts a server with this environment; returns its address. */
  start(env: Record<string, string>): Promise<string>
  stop(): Promise<void>
  /** Runs a command of the operator. */
  command(args: string[], env: Record<string, string>): Promise<Finished>
  arm(folder: string, fault: Fault | undefined): Promise<void>
  disarm(): Promise<{ calls: SeamCall[]; isMet: boolean }>
  /** Resolves when nothing was called for so many milliseconds. */
  quiet(ms: number): Promise<void>
}

export interface HostRequest {
  id: number
  name: keyof HostCalls
  given: unknown[]
}
