import { BadAnswer, ConnectionFailed } from './errors.ts'
import type { PortLine, ReadSolutionParameters, Solution } from './generated/types.ts'
import {
  type CallOptions,
  MAX_BYTES,
  parseJson,
  type RequestOptions,
  readBody,
  readError,
  type Transport,
  toBadAnswer,
  withoutQuery,
} from './transport.ts'

/** A port with its data tree, or at the end the solution without values: only that one has `data`. */
export type SolutionLine = PortLine | Solution

export type LinesOptions = Omit<ReadSolutionParameters, 'format'> & CallOptions

const LINES_TYPE = 'application/x-ndjson'

/** Yields the lines of a solution as they come. The deadline of the call is for the first of them. */
export async function* readLines(
  transport: Transport,
  path: string,
  { headers, ...options }: RequestOptions,
): AsyncIterableIterator<SolutionLine> {
  const address = withoutQuery(transport.addressOf(path).href)
  const sent = { ...options, headers: { ...headers, accept: LINES_TYPE } }
  const response = await transport.send(path, sent, async (response, clock) => {
    if (response.status !== 200) throw await readError(response, address)
    if (!response.headers.get('content-type')?.startsWith(LINES_TYPE)) throw toBadAnswer(address)
    clock.release()
    return response
  })
  const decoder = new TextDecoder()
  let pieces: string[] = []
  let length = 0
  let isWhole = false
  for await (const chunk of readBody(response, options.signal, `The solution at ${address}`)) {
    const [end, ...starts] = decoder.decode(chunk, { stream: true }).split('\n')
    pieces.push(end!)
    length += end!.length
    if (length >= MAX_BYTES)
      throw new BadAnswer(`A line of the answer of ${address} is too large to be read.`)
    for (const start of starts) {
      const line = parseJson(pieces.join('')) as SolutionLine | undefined
      if (!line) throw toBadAnswer(address)
      isWhole = 'data' in line
      yield line
      pieces = [start]
      length = start.length
    }
  }
  if (!isWhole) throw new ConnectionFailed(`The solution at ${address} was interrupted.`)
}
