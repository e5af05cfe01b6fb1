import { createHash } from 'node:crypto'
import type { HttpResponse } from '../../harness/request.ts'
import { type FaultLog, RECOVERY_MS } from '../faults.ts'

/** The faults of the program that must never happen. */
export const INVARIANTS = [
  /** An edit that was acknowledged is missing, or a response is older than one that came before the request. */
  'lost edits',
  /** A stored snapshot was replaced by an older one. */
  'old snapshots',
  /** A body differs from another one with the same address and tag, or from what was stored. */
  'wrong bodies',
  /** A request failed, or an edit did not arrive at others, later than five seconds after the last fault. */
  'late failures',
  /** A request was accepted after what it relies on was taken away. */
  'access kept',
  /** A solve was not finished, has another result than before, or was not charged once. */
  'wrong solves',
  /** A process ended by itself. */
  'crashes',
] as const
export type Invariant = (typeof INVARIANTS)[number]

export interface Violation {
  invariant: Invariant
  message: string
  /** The time as in `performance.now()`. */
  at: number
}

/** A request that failed because of a fault. */
interface Failure {
  message: string
  /** The time since the end of the last fault; 0 while there was one. */
  afterMs: number
}

/** A body, without its encoding. */
export interface KeptBody {
  etag: string
  encoding: string
  decoded: Buffer
}

/** The number of edits of each node, by node id. */
export type Edits = ReadonlyMap<string, number>

const MAX_FAILURES = 100_000
const MAX_RECENT = 1000
/** The number of bytes of a body that are shown around the first difference. */
const EXCERPT = 100

/**
 * Everything that was promised and observed during a run. A single process has it, so that all times are in one order.
 */
export class Ledger {
  readonly violations: Violation[] = []
  readonly failures: Failure[] = []
  /** The number of requests and edits, by kind. */
  readonly counts: Record<string, number> = {}
  readonly times: Record<string, number[]> = {}
  readonly #faults: Pick<FaultLog, 'sinceLast'>
  /** The SHA-256 of each body, by address and tag. */
  readonly #bodies = new Map<string, string>()
  /** The last body of each address. */
  readonly #latest = new Map<string, KeptBody>()
  /** The highest position in the log of each snapshot that was stored. */
  readonly #snapshots = new Map<string, number>()
  /** The most recent of these bodies, to describe how another one differs. */
  readonly #recent = new Map<string, Buffer>()
  /** The last edit that was acknowledged, or contained in a response, by document and node. */
  readonly #edits = new Map<string, Map<string, number>>()
  /** The documents and nodes that are not judged any more. */
  readonly #doubted = new Set<string>()
  /** Edits that nobody may make, by document and node. */
  readonly #forbidden = new Map<string, number>()

  constructor(faults: Pick<FaultLog, 'sinceLast'>) {
    this.#faults = faults
  }

  count(kind: string): void {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1
  }

  /** Notes how long an action took, in milliseconds. */
  time(what: string, ms: number): void {
    this.times[what] ??= []
    this.times[what].push(ms)
  }

  violate(invariant: Invariant, message: string): void {
    this.violations.push({ invariant, message, at: performance.now() })
  }

  /** Notes a failed request, which is judged at once: no fault begins in the past. */
  fail(message: string): void {
    const afterMs = this.#faults.sinceLast(performance.now())
    if (afterMs > RECOVERY_MS) this.violate('late failures', message)
    else if (this.failures.length < MAX_FAILURES) this.failures.push({ message, afterMs })
  }

  /**
   * Notes a complete response with a tag, and its body without encoding: every process has to send the same bytes with the
   * same tag.
   */
  noteBody(where: string, path: string, { headers, body }: HttpResponse, decoded: Buffer): void {
    const { etag } = headers
    if (etag === undefined) return
    const key = `${path} ${etag}`
    this.#latest.set(path, { etag, encoding: headers['content-encoding'] ?? 'identity', decoded })
    const hash = createHash('sha256').update(body).digest('hex')
    const known = this.#bodies.get(key)
    if (known !== undefined && known !== hash) {
      const difference = describeDifference(this.#recent.get(key), decoded)
      const message = `${where} sent other bytes than before with the tag ${etag} for ${path}${difference}.`
      this.violate('wrong bodies', message)
    }
    if (known !== undefined) return
    this.#bodies.set(key, hash)
    this.#recent.set(key, decoded)
    if (this.#recent.size > MAX_RECENT) this.#recent.delete(this.#recent.keys().next().value!)
  }

  /** The last body of an address, as a client has it who asks whether it is still current. */
  latest(path: string): KeptBody | undefined {
    return this.#latest.get(path)
  }

  /** Notes the position of a stored snapshot, after all that were noted before. */
  noteSnapshot(what: string, seq: number): void {
    const before = this.#snapshots.get(what) ?? 0
    if (seq < before)
      this.violate(
        'old snapshots',
        `The snapshot ${what} of position ${before} was replaced by one of ${seq}.`,
      )
    this.#snapshots.set(what, seq)
  }

  /** Returns the edits that a response to a request that is sent now must contain at least. */
  promised(document: string): Edits {
    const edits = [...(this.#edits.get(document) ?? [])]
    return new Map(edits.filter(([node]) => !this.#doubted.has(`${document} ${node}`)))
  }

  /**
   * Notes that an edit was not acknowledged. A process that stands still may store it long after, and of two edits that do
   * not know each other either may win, so the node is not judged any more.
   */
  doubt(document: string, node: string): void {
    this.#doubted.add(`${document} ${node}`)
  }

  /** Notes that an edit was acknowledged, or seen. */
  promise(document: string, node: string, edit: number): void {
    let edits = this.#edits.get(document)
    if (!edits) {
      edits = new Map()
      this.#edits.set(document, edits)
    }
    edits.set(node, Math.max(edit, edits.get(node) ?? 0))
  }

  /** Notes that an edit must not be stored, until `permit` is called. */
  forbid(document: string, node: string, edit: number): void {
    this.#forbidden.set(`${document} ${node}`, edit)
  }

  permit(): void {
    this.#forbidden.clear()
  }

  /** Compares a content with what was promised before it was requested, and promises what it contains. */
  noteEdits(where: string, document: string, found: Edits, promised: Edits): void {
    for (const [node, edit] of missingIn(found, promised)) {
      const instead = found.get(node) ?? 'none'
      this.violate(
        'lost edits',
        `${where} has edit ${instead} of node ${node} of ${document} in place of ${edit}.`,
      )
    }
    for (const [node, edit] of found) {
      if (this.#forbidden.get(`${document} ${node}`) === edit)
        this.violate(
          'access kept',
          `${where} has edit ${edit} of node ${node}, which a member without access has made.`,
        )
      this.promise(document, node, edit)
    }
  }
}

/** Lists the promised edits that a content lacks: it has neither them nor later ones of the same nodes. */
export const missingIn = (found: Edits, promised: Edits): [node: string, edit: number][] =>
  [...promised].filter(([node, edit]) => (found.get(node) ?? 0) < edit)

/** Describes the place where two bodies begin to differ, with their content there. */
function describeDifference(before: Buffer | undefined, now: Buffer): string {
  if (before === undefined) return ''
  if (before.equals(now)) return ', compressed in another way'
  const at = before.findIndex((byte, index) => byte !== now[index])
  const from = at === -1 ? before.length : at
  const excerpt = (body: Buffer) => body.subarray(Math.max(0, from - EXCERPT), from + EXCERPT).toString()
  return `: from byte ${from} on, ${excerpt(now)} in place of ${excerpt(before)}`
}
