import type { BareServer } from '../harness/bare.ts'
import { sendRequest } from '../harness/request.ts'
import {
  type CaseRequests,
  type Figures,
  type MeasureOptions,
  prepareBare,
  prepareRunner,
  type Runner,
  runInterleaved,
} from '../harness/rounds.ts'
import { listCases } from './cases.ts'
import { type Case, type Contender, requestsOf } from './contender.ts'
import { describeDifference } from './facts.ts'

/** The results of one case. */
export interface CaseFigures {
  /** The bare server, then each contender. */
  figures: Figures[]
  /** The contenders that cannot answer the case, or that answer something else. */
  leftOut: { name: string; reason: string }[]
}

/** A case with its results on teams of one size. */
export interface MeasuredCase extends Pick<Case, 'name' | 'manner' | 'aim'>, CaseFigures {
  documents: number
}

/**
 * Measures a case on the bare server and then on the contenders, except those that do not have such a read or do not
 * return the facts that Meadow returns. The bare server sends responses of the same size as the first contender.
 */
export async function measureCase(
  name: string,
  contenders: readonly Contender[],
  bare: BareServer,
  options: MeasureOptions,
): Promise<CaseFigures> {
  const runners: Runner[] = []
  const leftOut: CaseFigures['leftOut'] = []
  for (const contender of contenders) {
    const target = await prepareRequests(contender, caseOf(contender, name))
    if ('reason' in target) leftOut.push({ name: contender.name, reason: target.reason })
    else runners.push(await prepareRunner(contender.name, target, target.status, options))
  }
  const [model] = runners
  if (!model) return { figures: [], leftOut }
  const figures = await runInterleaved([await prepareBare('bare', model, bare, options), ...runners], options)
  return { figures, leftOut }
}

function caseOf({ team }: Contender, name: string): Case {
  const found = listCases(team).find((own) => own.name === name)
  if (!found) throw new Error(`There is no case "${name}": npm run bench prints their names.`)
  return found
}

/** Requests, and the status of their responses. */
export type CheckedRequests = CaseRequests & { status: number }

/** Returns the requests of a case that a server is known to answer. */
export async function checkedRequests(contender: Contender, name: string): Promise<CheckedRequests> {
  const target = await prepareRequests(contender, caseOf(contender, name))
  if ('reason' in target) throw new Error(`${contender.name} is left out of "${name}": ${target.reason}.`)
  return target
}

/** Returns the requests of a case, or why the contender is left out. */
async function prepareRequests(
  contender: Contender,
  measured: Case,
): Promise<CheckedRequests | { reason: string }> {
  const target = contender.requestsFor(measured)
  if ('reason' in target) return target
  const difference = await findDifference(contender, measured)
  if (difference) return { reason: difference }
  if (measured.manner !== 'unchanged') return { ...target, status: 200 }
  const tagged = await findTagged(target)
  return tagged ? { ...tagged, status: 304 } : { reason: 'its responses have no entity tags' }
}

/**
 * Finds the first difference between the responses of a peer and of Meadow to the same reads. Each read is made once.
 */
async function findDifference(contender: Contender, measured: Case): Promise<string | undefined> {
  const { reference } = contender
  if (!reference) return undefined
  // The teams have the same ids, since a peer has the data of its reference.
  for (const read of measured.reads) {
    const readOne = async (server: Contender) => {
      const target = requestsOf(server, { ...measured, reads: [read] })
      const { status, body } = await sendRequest(target, target.requests[0]!)
      if (status !== 200) throw new Error(`${server.name} answered ${status}: ${body.subarray(0, 200)}`)
      return server.readFacts(read, body.toString())
    }
    const expected = await readOne(reference)
    const difference = await readOne(contender).then(
      (own) => describeDifference(own, expected),
      (error: Error) => error.message,
    )
    if (difference) return `${describe(read)}: ${difference}`
  }
  return undefined
}

const describe = (read: Case['reads'][number]): string =>
  read.kind === 'search' ? `the search for "${read.q}"` : `a ${read.kind}`

/** Makes the requests conditional, with the current ETags. Resolves with undefined when a response has none. */
async function findTagged(target: CaseRequests): Promise<CaseRequests | undefined> {
  const tags = await Promise.all(
    target.requests.map(async (request) => (await sendRequest(target, request)).headers.etag),
  )
  if (tags.includes(undefined)) return undefined
  const requests = target.requests.map((request, index) => ({
    ...request,
    headers: { ...request.headers, 'if-none-match': tags[index]! },
  }))
  return { ...target, requests }
}
