import { listCases } from './cases.ts'
import type { Contender, Question } from './contender.ts'
import { ask, type HttpAnswer } from './load/request.ts'
import { type Figures, figuresOf, prepareRunner, type RoundOptions, type Runner, runRound } from './runner.ts'
import type { BareFile } from './servers/bare-server.ts'
import type { BareServer } from './servers/start-bare.ts'

export interface MeasureOptions extends RoundOptions {
  /** How often each server has its turn. */
  rounds: number
}

/**
 * How the bare server and the contenders did, in this order; contenders that cannot answer are left out.
 * The bare server answers with as much as the first contender does.
 */
export async function measureCase(
  name: string,
  contenders: readonly Contender[],
  bare: BareServer,
  options: MeasureOptions,
): Promise<Figures[]> {
  const runners: Runner[] = []
  for (const contender of contenders) {
    const asked = listCases(contender.team).find((own) => own.name === name)!
    const question = contender.ask(asked)
    if (!question) continue
    runners.push(
      asked.manner === 'unchanged'
        ? await prepareRunner(contender.name, await withTags(question), 304, options)
        : await prepareRunner(contender.name, question, 200, options),
    )
  }
  const [model] = runners
  if (!model) return []
  return takeTurns([await prepareBare('bare', model, bare, options), ...runners], options)
}

/** Round by round, each in its turn. The first one is what the others are compared with. */
export async function takeTurns(runners: readonly Runner[], options: MeasureOptions): Promise<Figures[]> {
  for (let round = 0; round < options.rounds; round++) {
    for (const runner of runners) await runRound(runner, options)
  }
  return runners.map((runner) => figuresOf(runner, runners[0]!))
}

/** A bare server that answers as another one does, from a buffer or from a file of that size, and is warm. */
export async function prepareBare(
  name: string,
  { sample, meanBodyBytes, question: { requests } }: Runner,
  bare: BareServer,
  options: RoundOptions,
  file?: BareFile,
): Promise<Runner> {
  const headers = ownHeaders(sample, meanBodyBytes)
  await bare.answerWith({
    status: sample.status,
    headers,
    bodyBytes: meanBodyBytes,
    ...(file && { file }),
  })
  const { host, port, pid } = bare
  return prepareRunner(name, { host, port, pid, requests }, sample.status, options)
}

/** The requests with what their answers' tags are now, as a caller sends them who has the answers already. */
async function withTags(question: Question): Promise<Question> {
  const requests = question.requests.map(async (request) => {
    const { headers } = await ask(question, request)
    if (headers.etag === undefined) throw new Error(`The answer to ${request.path} has no tag.`)
    return { ...request, headers: { ...request.headers, 'if-none-match': headers.etag } }
  })
  return { ...question, requests: await Promise.all(requests) }
}

/** The headers that the server set itself, so that the bare one sends the same. */
function ownHeaders({ headers }: HttpAnswer, bodyBytes: number): Record<string, string> {
  const { date, connection, 'keep-alive': keepAlive, 'content-length': length, ...own } = headers
  const named = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, String(value)]))
  return length === undefined ? named : { ...named, 'content-length': String(bodyBytes) }
}
