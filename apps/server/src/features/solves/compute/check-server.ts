import { randomUUID } from 'node:crypto'
import { decodeGeometry } from '@meadow/model'
import { type Solution, solve, toWireTree } from '@meadow/solver'
import { applyAnswer, type SharedSolution } from './apply-answer.ts'
import { askCompute } from './ask-compute.ts'
import type { ComputeClient, ComputeLimits } from './compute-client.ts'
import { readAnswer } from './read-answer.ts'
import { createComponentTrials, createValues, type Trial } from './trials.ts'

/** Something that solving with Rhino.Compute relies on, and whether a server does it. */
export interface ServerCheck {
  /** Completes "The server …". */
  what: string
  isRight: boolean
}

const LIBRARY = {
  decode: async (encoded: readonly Parameters<typeof decodeGeometry>[0][]) => encoded.map(decodeGeometry),
}
const LIST_LENGTH = '1817fd29-20ae-4503-b542-f0fb651e67d7'

/**
 * Sends definitions whose results are known to a Rhino.Compute server, in the same way as documents, and compares what
 * comes back: values of every type, and with `isFull` what components make of them. Fails: as `ComputeClient`.
 */
export async function checkServer(
  client: ComputeClient,
  limits: ComputeLimits,
  { isFull }: { isFull: boolean },
): Promise<ServerCheck[]> {
  const checks: ServerCheck[] = [
    { what: 'says which components it has', isRight: await client.hasComponent(LIST_LENGTH, limits) },
    { what: 'says which components it lacks', isRight: !(await client.hasComponent(randomUUID(), limits)) },
  ]
  const trials = isFull ? [createValues(), ...createComponentTrials()] : [createValues()]
  for (const trial of trials) checks.push(...(await tryServer(client, limits, trial)))
  return checks
}

/** Sends a definition as if Meadow could not solve what is compared. */
async function tryServer(
  client: ComputeClient,
  limits: ComputeLimits,
  { content, results }: Trial,
): Promise<ServerCheck[]> {
  const own = solve(content, { decodeGeometry })
  const unsolved = {
    ...own,
    states: new Map([...own.states, ...[...results.keys()].map((id) => [id, 'unknown'] as const)]),
    ports: new Map([...own.ports].filter(([id]) => !results.has(id))),
    messages: [],
  }
  const { units } = client.server
  const question = askCompute({ content, clusters: new Map(), original: undefined, units }, unsolved)
  if (!question) throw new Error('The definition of the check cannot be asked for.')
  const { body, plan } = question
  const missingClassIds: string[] = []
  for (const classId of plan.classIds)
    if (!(await client.hasComponent(classId, limits))) missingClassIds.push(classId)
  const bytes = await client.solve(
    body,
    async (chunks) => Buffer.concat(await Array.fromAsync(chunks)),
    limits,
  )
  const answered = { plan, missingClassIds, answer: readAnswer(bytes) }
  const answer = await applyAnswer(content, unsolved, answered, LIBRARY)
  return [...results].map(([id, what]) => ({ what, isRight: isKnown(id, own, answer) }))
}

/** Whether the server has the values of Meadow for a node, fails as it does, or has not solved what it cannot either. */
function isKnown(id: string, own: Solution, answer: SharedSolution): boolean {
  if (own.states.get(id) === 'unknown') return !answer.solvers.has(id)
  const [expected, actual] = [own, answer].map(({ states, ports }) => ({
    isFailed: states.get(id) === 'failed',
    trees: [...(ports.get(id)?.values() ?? [])].map((tree) => toWireTree(tree)),
  }))
  return isSame(expected, actual)
}

/** Rhino makes the axes of planes perpendicular again when it reads them. */
const TOLERANCE = 1e-9

/** Whether two values of JSON are the same but for the rounding of numbers. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= TOLERANCE
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))]
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && isSame(value, right.get(key)))
  )
}
