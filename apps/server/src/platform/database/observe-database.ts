import { isRecording, tracedCall } from '../telemetry/tracing.ts'

/**
 * Runs a statement as a part of the current trace, if there is one. Its span has neither the values nor the text of the
 * statement.
 */
export function tracedStatement<T>(
  system: 'sqlite' | 'postgresql',
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!isRecording()) return work()
  const { operation, table } = summarise(text)
  const name = table === undefined ? operation : `${operation} ${table}`
  const facts = { 'db.system.name': system, 'db.operation.name': operation }
  return tracedCall(name, { ...facts, ...(table !== undefined && { 'db.collection.name': table }) }, work)
}

/** Returns what a statement does, and the first table in it. */
function summarise(text: string): { operation: string; table: string | undefined } {
  const [, first = 'unknown'] = /^\s*(\w+)/.exec(text) ?? []
  const [, table] = /\b(?:from|into|update)\s+"?(\w+)"?/i.exec(text) ?? []
  return { operation: first.toUpperCase(), table }
}
