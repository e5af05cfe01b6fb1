import type { DataValue, SolutionId } from '@meadow/contract'
import { formatPath } from '@meadow/document'
import { type Branch, type Solution, toWireTree, type Value } from '@meadow/solver'

/** So many values are turned into text at a time. */
const BATCH = 1000
/** Chunks of about this length are compressed well and held easily. */
const CHUNK_LENGTH = 64 * 1024

export interface SolutionFacts {
  solutionId: SolutionId
  /** Milliseconds since 1970. */
  solvedAt: number
  durationMs: number
}

/**
 * The body of a solution without geometry (decision 24), in chunks of UTF-8: the whole of it may be larger than
 * memory, or than the longest text that JavaScript knows.
 */
export function* writeValuesBody(solution: Solution, facts: SolutionFacts): Generator<Uint8Array> {
  let text = ''
  for (const piece of writePieces(solution, facts)) {
    text += piece
    if (text.length < CHUNK_LENGTH) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}

function* writePieces({ ports, messages }: Solution, facts: SolutionFacts): Generator<string> {
  const { solutionId, solvedAt, durationMs } = facts
  yield `{"data":{"solutionId":${JSON.stringify(solutionId)}`
  for (const [nodeId, trees] of ports) {
    yield `,${JSON.stringify(nodeId)}:{`
    yield* separated(trees, function* ([portId, tree]) {
      yield `${JSON.stringify(portId)}:{"branches":[`
      yield* separated(tree.branches, writeBranch)
      yield ']}'
    })
    yield '}'
  }
  const rest = { includesGeometry: false, solvedAt: new Date(solvedAt).toISOString(), durationMs, messages }
  yield `},${JSON.stringify(rest).slice(1)}`
}

function* writeBranch({ path, values }: Branch<Value | null>): Generator<string> {
  yield `{"path":${JSON.stringify(formatPath(path))},"values":[`
  for (let start = 0; start < values.length; start += BATCH) {
    const batch = { path, values: values.slice(start, start + BATCH) }
    const wire = toWireTree({ branches: [batch] }).branches[0]!.values.map(withoutGeometry)
    yield (start === 0 ? '' : ',') + JSON.stringify(wire).slice(1, -1)
  }
  yield ']}'
}

/** What the solver could not look into keeps the form in which it was typed in, geometry and all. */
function withoutGeometry(value: DataValue | null): DataValue | null {
  if (!value?.geometry) return value
  const { geometry: _, ...rest } = value
  return rest
}

/** What `write` makes of each item, with commas between. */
function* separated<T>(items: Iterable<T>, write: (item: T) => Generator<string>): Generator<string> {
  let isFirst = true
  for (const item of items) {
    if (!isFirst) yield ','
    isFirst = false
    yield* write(item)
  }
}
