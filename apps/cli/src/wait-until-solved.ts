import { setTimeout } from 'node:timers/promises'
import { endpointPath, type Meadow, NotSolved, SolveFailed, Solving, TimedOut } from '@meadow/client'

/** The longest wait of one request at the service, in seconds, and the time in which its answer has to arrive. */
const HELD_SECONDS = 30
const ANSWER_MS = 90_000

/**
 * Waits until no solve of the document runs, without reading its solution.
 * Throws `NotSolved`, `SolveFailed`, or `TimedOut` after `seconds`.
 */
export async function waitUntilSolved(
  meadow: Meadow,
  documentId: string,
  seconds: number,
  signal: AbortSignal,
): Promise<void> {
  const path = endpointPath('readSolution', documentId)
  const endsAt = performance.now() + 1000 * seconds
  for (;;) {
    const leftSeconds = Math.max(0, (endsAt - performance.now()) / 1000)
    const held = Math.min(HELD_SECONDS, Math.ceil(leftSeconds))
    const headers = { prefer: `wait=${held}` }
    const { status, headers: received } = await meadow.request(path, {
      ...{ method: 'HEAD', headers, signal },
      timeoutMs: 1000 * held + ANSWER_MS,
    })
    if (status === 200) return
    if (status !== 202) return void (await meadow.readSolution(documentId, { signal }))
    if (performance.now() >= endsAt)
      throw new TimedOut(`The document ${documentId} is still being solved after ${seconds} s.`)
    // The service holds back a few requests only, so the answer may have been sent at once.
    const pauseMs = 1000 * (Number(received.get('retry-after')) || 1)
    await setTimeout(Math.max(0, Math.min(pauseMs, endsAt - performance.now())), undefined, { signal })
  }
}

/** The state of a solution in a word. */
export type SolutionState = 'solved' | 'solving' | 'never solved' | 'failed'

/** Returns the state that an error stands for; undefined for other errors. */
export function stateOf(error: unknown): Exclude<SolutionState, 'solved'> | undefined {
  if (error instanceof Solving) return 'solving'
  if (error instanceof NotSolved) return 'never solved'
  return error instanceof SolveFailed ? 'failed' : undefined
}
