import type { BareServer } from './bare.ts'
import type { BareFile, BareResponse } from './bare-server.ts'
import { type LoadOptions, type LoadResponse, load } from './load.ts'
import { readTreeCpuMs } from './process-figures.ts'
import { type HttpRequest, type HttpResponse, requestBytes, sendRequest } from './request.ts'
import { median, ownCpuMs, percentile } from './statistics.ts'

/** The requests of a case, and the server they go to. */
export interface CaseRequests {
  host: string
  port: number
  /** The server's process. Its processor time is counted, with that of its child processes. */
  pid?: number
  /** The first process of the database server, whose processor time is counted too. */
  databasePid?: number
  requests: HttpRequest[]
}

export interface RoundOptions {
  connections: number
  roundMs: number
  /** How long each server is sent requests before it is measured; omitted for one round. */
  warmUpMs?: number
}

export interface MeasureOptions extends RoundOptions {
  /** The number of rounds per server. */
  rounds: number
}

/** The results of one server in all rounds of one case. */
export interface Figures {
  name: string
  /** Requests per second, round by round. */
  perSecond: number[]
  medianPerSecond: number
  /** The median of each round's ratio to the bare server's round just before it. */
  ratio: number
  p50Ms: number
  p99Ms: number
  /** Processor time of all processes of the server and its database per request; undefined where it is not reported. */
  cpuMicroseconds: number | undefined
  /** The share of one processor that the requesting process used; near 1, it was the bottleneck. */
  askerShare: number
  meanBodyBytes: number
}

/** A server that is being measured in one case. */
export interface Runner {
  readonly name: string
  readonly target: CaseRequests
  readonly sample: HttpResponse
  readonly meanBodyBytes: number
  readonly perSecond: number[]
  readonly responses: LoadResponse[]
  /** The processor time of the server, in milliseconds. */
  cpuMs: number | undefined
  /** The processor time of the requesting process, in milliseconds. */
  clientMs: number
  elapsedMs: number
}

/** Checks the status of one response, and warms the server up. */
export async function prepareRunner(
  name: string,
  target: CaseRequests,
  status: number,
  options: RoundOptions,
): Promise<Runner> {
  const [first] = target.requests
  const sample = await sendRequest(target, first!)
  if (sample.status !== status) {
    const body = sample.body.toString().slice(0, 300)
    throw new Error(`${name} answered ${sample.status} to ${first!.path}: ${body}`)
  }
  const { connections, roundMs, warmUpMs = roundMs } = options
  const { responses } = await loadChecked(name, target, status, { connections, durationMs: warmUpMs })
  return {
    name,
    target,
    sample,
    meanBodyBytes: meanBodyBytes(responses),
    perSecond: [],
    responses: [],
    cpuMs: undefined,
    clientMs: 0,
    elapsedMs: 0,
  }
}

/**
 * Prepares the bare server, warmed up and with responses like those of another one, from a buffer or a file of that
 * size.
 */
export async function prepareBare(
  name: string,
  { sample, meanBodyBytes, target: { requests } }: Runner,
  bare: BareServer,
  options: RoundOptions,
  file?: BareFile,
): Promise<Runner> {
  await bare.setResponse({ ...likeSample(sample, meanBodyBytes), ...(file && { file }) })
  const { host, port, pid } = bare
  return prepareRunner(name, { host, port, pid, requests }, sample.status, options)
}

/** Measures servers in interleaved rounds, and compares all of them with the first one. */
export async function runInterleaved(
  runners: readonly Runner[],
  options: MeasureOptions,
): Promise<Figures[]> {
  for (let round = 0; round < options.rounds; round++) {
    for (const runner of runners) await runRound(runner, options)
  }
  return runners.map((runner) => figuresOf(runner, runners[0]!))
}

async function runRound(runner: Runner, options: RoundOptions): Promise<void> {
  const { name, target, sample } = runner
  const cpuBefore = cpuOf(target)
  const clientBefore = ownCpuMs()
  const startedAt = performance.now()
  const { perSecond, responses } = await loadRound(name, target, sample.status, options)
  runner.elapsedMs += performance.now() - startedAt
  runner.clientMs += ownCpuMs() - clientBefore
  const cpuAfter = cpuOf(target)
  if (cpuBefore !== undefined && cpuAfter !== undefined) {
    runner.cpuMs = (runner.cpuMs ?? 0) + cpuAfter - cpuBefore
  }
  runner.perSecond.push(perSecond)
  for (const response of responses) runner.responses.push(response)
}

function figuresOf(runner: Runner, bare: Runner): Figures {
  const { name, perSecond, responses, cpuMs, clientMs, elapsedMs } = runner
  const latencies = responses.map(({ latencyMs }) => latencyMs)
  return {
    name,
    perSecond,
    medianPerSecond: median(perSecond),
    ratio: median(perSecond.map((value, round) => value / bare.perSecond[round]!)),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpuMicroseconds: cpuMs === undefined ? undefined : (cpuMs * 1000) / responses.length,
    askerShare: clientMs / elapsedMs,
    meanBodyBytes: meanBodyBytes(responses),
  }
}

/** Sends requests for a while. Throws an error when a response has another status. */
export async function loadChecked(name: string, target: CaseRequests, status: number, options: LoadOptions) {
  const { host, port, requests } = target
  const result = await load({ host, port, requests: requests.map(requestBytes) }, options)
  const wrong = result.responses.find((response) => response.status !== status)
  if (wrong) throw new Error(`${name} answered ${wrong.status} to ${requests[wrong.request]!.path}`)
  return result
}

const loadRound = (
  name: string,
  target: CaseRequests,
  status: number,
  { connections, roundMs }: RoundOptions,
) => loadChecked(name, target, status, { connections, durationMs: roundMs })

/**
 * Returns the processor time of the server and its database. Nothing else uses the database server between two rounds,
 * so all of its time belongs to the round.
 */
function cpuOf({ pid, databasePid }: CaseRequests): number | undefined {
  const own = pid === undefined ? undefined : readTreeCpuMs(pid)
  if (own === undefined || databasePid === undefined) return own
  return own + (readTreeCpuMs(databasePid) ?? 0)
}

const meanBodyBytes = (responses: readonly LoadResponse[]) =>
  Math.round(responses.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0) / responses.length)

/** Returns the response with which the bare server sends what another server has sent, with bodies of this size. */
export const likeSample = (sample: HttpResponse, bodyBytes: number): BareResponse => ({
  status: sample.status,
  headers: ownHeaders(sample, bodyBytes),
  bodyBytes,
})

/** Returns the headers that the server set itself, without those that every Node server sets. */
function ownHeaders({ headers }: HttpResponse, bodyBytes: number): Record<string, string> {
  const { date, connection, 'keep-alive': keepAlive, 'content-length': length, ...own } = headers
  const named = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, String(value)]))
  return length === undefined ? named : { ...named, 'content-length': String(bodyBytes) }
}
