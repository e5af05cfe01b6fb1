import { sendRequest } from '../load/request.ts'
import type { BareServer } from '../servers/start-bare.ts'
import { listCases } from './cases.ts'
import type { CaseRequests, Contender } from './contender.ts'
import {
  type Figures,
  type MeasureOptions,
  prepareBare,
  prepareRunner,
  type Runner,
  runInterleaved,
} from './runner.ts'

/**
 * Measures a case on the bare server and then on the contenders, except those that do not have such a read. The bare
 * server sends responses of the same size as the first contender.
 */
export async function measureCase(
  name: string,
  contenders: readonly Contender[],
  bare: BareServer,
  options: MeasureOptions,
): Promise<Figures[]> {
  const runners: Runner[] = []
  for (const contender of contenders) {
    const measured = listCases(contender.team).find((own) => own.name === name)!
    const target = contender.requestsFor(measured)
    if (!target) continue
    runners.push(
      measured.manner === 'unchanged'
        ? await prepareRunner(contender.name, await addTags(target), 304, options)
        : await prepareRunner(contender.name, target, 200, options),
    )
  }
  const [model] = runners
  if (!model) return []
  return runInterleaved([await prepareBare('bare', model, bare, options), ...runners], options)
}

/** Makes the requests conditional, with the current ETags. */
async function addTags(target: CaseRequests): Promise<CaseRequests> {
  const requests = target.requests.map(async (request) => {
    const { headers } = await sendRequest(target, request)
    if (headers.etag === undefined) throw new Error(`The response to ${request.path} has no ETag.`)
    return { ...request, headers: { ...request.headers, 'if-none-match': headers.etag } }
  })
  return { ...target, requests: await Promise.all(requests) }
}
