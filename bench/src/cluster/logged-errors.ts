import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The words of log lines with which a process reports a fault, as it should. */
const NOTICES =
  /cannot be reached|is starting or stopping|was lost|ended the connection|no space|writing to it for too long/i

/**
 * Lists the errors in the logs of a folder that are not about a fault, each once with their number. Such an error is a
 * fault of the program that clients did not notice, such as a deadlock.
 */
export async function listLoggedErrors(folder: string): Promise<string[]> {
  const counts = new Map<string, number>()
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.log'))) {
    for (const line of (await readFile(join(folder, file), 'utf8')).split('\n')) {
      const error = readError(line)
      if (error !== undefined && !NOTICES.test(error)) counts.set(error, (counts.get(error) ?? 0) + 1)
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([error, times]) => `${times} × ${error}`)
}

/** Returns the message of a line that is an error, or is not a line of the log; undefined for other lines. */
function readError(line: string): string | undefined {
  if (line === '') return undefined
  try {
    const { level, msg, reason, error, err } = JSON.parse(line)
    if (level !== undefined && level !== 'error' && level !== 'fatal') return undefined
    return [msg, error, reason ?? err?.message].filter((part) => part !== undefined).join(': ')
  } catch {
    return line.slice(0, 300)
  }
}
