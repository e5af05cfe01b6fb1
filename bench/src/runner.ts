import type { Question } from './contender.ts'
import { type Answered, load } from './load/load.ts'
import { ask, type HttpAnswer, requestBytes } from './load/request.ts'
import { readProcessFigures } from './servers/process-figures.ts'
import { median, percentile } from './statistics.ts'

export interface RoundOptions {
  connections: number
  roundMs: number
}

/** What one server did in all its rounds of one case. */
export interface Figures {
  name: string
  /** Requests per second, round by round. */
  perSecond: number[]
  medianPerSecond: number
  /** The median of each round's ratio to the bare server's round just before it. */
  ratio: number
  p50Ms: number
  p99Ms: number
  /** Processor time of the server for one request, all its threads; undefined where nobody tells. */
  cpuMicroseconds: number | undefined
  /** How busy the asking process was, of one processor; near 1 it was what held things up. */
  askerShare: number
  meanBodyBytes: number
}

/** A server on its way through a case. */
export interface Runner {
  readonly name: string
  readonly question: Question
  readonly sample: HttpAnswer
  readonly meanBodyBytes: number
  readonly perSecond: number[]
  readonly answers: Answered[]
  /** Of the server, and of the process that asks. */
  cpuMs: number | undefined
  askerMs: number
  elapsedMs: number
}

/** Looks at one answer, which must have the status, and lets the server warm up for a round. */
export async function prepareRunner(
  name: string,
  question: Question,
  status: number,
  options: RoundOptions,
): Promise<Runner> {
  const [first] = question.requests
  const sample = await ask(question, first!)
  if (sample.status !== status) {
    const said = sample.body.toString().slice(0, 300)
    throw new Error(`${name} answered ${sample.status} to ${first!.path}: ${said}`)
  }
  const { answers } = await loadChecked(name, question, status, options)
  return {
    name,
    question,
    sample,
    meanBodyBytes: meanBodyBytes(answers),
    perSecond: [],
    answers: [],
    cpuMs: undefined,
    askerMs: 0,
    elapsedMs: 0,
  }
}

/** One turn of this server. */
export async function runRound(runner: Runner, options: RoundOptions): Promise<void> {
  const { name, question, sample } = runner
  const cpuBefore = cpuOf(question)
  const askerBefore = process.cpuUsage()
  const startedAt = performance.now()
  const { perSecond, answers } = await loadChecked(name, question, sample.status, options)
  runner.elapsedMs += performance.now() - startedAt
  const asker = process.cpuUsage(askerBefore)
  runner.askerMs += (asker.user + asker.system) / 1000
  const cpuAfter = cpuOf(question)
  if (cpuBefore !== undefined && cpuAfter !== undefined) {
    runner.cpuMs = (runner.cpuMs ?? 0) + cpuAfter - cpuBefore
  }
  runner.perSecond.push(perSecond)
  for (const answer of answers) runner.answers.push(answer)
}

export function figuresOf(runner: Runner, bare: Runner): Figures {
  const { name, perSecond, answers, cpuMs, askerMs, elapsedMs } = runner
  const latencies = answers.map(({ latencyMs }) => latencyMs)
  return {
    name,
    perSecond,
    medianPerSecond: median(perSecond),
    ratio: median(perSecond.map((value, round) => value / bare.perSecond[round]!)),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpuMicroseconds: cpuMs === undefined ? undefined : (cpuMs * 1000) / answers.length,
    askerShare: askerMs / elapsedMs,
    meanBodyBytes: meanBodyBytes(answers),
  }
}

async function loadChecked(name: string, question: Question, status: number, options: RoundOptions) {
  const { host, port, requests } = question
  const { connections, roundMs } = options
  const target = { host, port, requests: requests.map(requestBytes) }
  const result = await load(target, { connections, durationMs: roundMs })
  const wrong = result.answers.find((answer) => answer.status !== status)
  if (wrong) throw new Error(`${name} answered ${wrong.status} to ${requests[wrong.request]!.path}`)
  return result
}

const cpuOf = ({ pid }: Question) => (pid === undefined ? undefined : readProcessFigures(pid).cpuMs)

const meanBodyBytes = (answers: readonly Answered[]) =>
  Math.round(answers.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0) / answers.length)
