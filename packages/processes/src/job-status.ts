import { readSync, writeSync } from 'node:fs'

/**
 * What a job is doing, and why the watchdog ended it, in a small file that parent and child share. Unlike a message, it
 * can be read after the child was killed, and it can be written while the child's event loop is blocked.
 *
 * Layout: one byte for the verdict, two for the length of the step (little endian), then the step in UTF-8. Behind them
 * are eight bytes with the CPU time of the job, which the watchdog writes: a 64-bit float of milliseconds
 * (little endian).
 */
export const STATUS_BYTES = 1024
const LENGTH_OFFSET = 1
const STEP_OFFSET = 3
const CPU_BYTES = 8

/** Why the watchdog of a child ended it. */
export type Verdict = 'memory' | 'time'

const VERDICTS: readonly (Verdict | undefined)[] = [undefined, 'memory', 'time']

/** Writes a step into `bytes`; a long one is truncated. Returns how many bytes are in use. */
export function putStep(bytes: Buffer, step: string): number {
  const length = bytes.write(step, STEP_OFFSET)
  bytes.writeUInt16LE(length, LENGTH_OFFSET)
  return STEP_OFFSET + length
}

export const writeVerdict = (fd: number, verdict: Verdict): void =>
  void writeSync(fd, Uint8Array.of(VERDICTS.indexOf(verdict)), 0, 1, 0)

export function writeCpuMs(fd: number, cpuMs: number): void {
  const bytes = new DataView(new ArrayBuffer(CPU_BYTES))
  bytes.setFloat64(0, cpuMs, true)
  writeSync(fd, bytes, 0, CPU_BYTES, STATUS_BYTES)
}

/** Clears the step, the verdict and the CPU time. */
export function clearStatus(fd: number): void {
  writeSync(fd, new Uint8Array(STEP_OFFSET), 0, STEP_OFFSET, 0)
  writeCpuMs(fd, 0)
}

export function readStatus(fd: number): { verdict: Verdict | undefined; step: string; cpuMs: number } {
  const bytes = Buffer.alloc(STATUS_BYTES + CPU_BYTES)
  readSync(fd, bytes, 0, bytes.length, 0)
  const end = Math.min(STEP_OFFSET + bytes.readUInt16LE(LENGTH_OFFSET), STATUS_BYTES)
  const step = bytes.toString('utf8', STEP_OFFSET, end)
  return { verdict: VERDICTS[bytes[0]!], step, cpuMs: bytes.readDoubleLE(STATUS_BYTES) }
}
