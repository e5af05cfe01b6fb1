import { on } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { PutBody } from './put-compressed.ts'
import type { BodyAnswer, BodyFault, PostedBody } from './receive-bodies.ts'

/** So many chunks are on their way at once: more would only take memory. */
const MAX_UNDER_WAY = 4

/** As `putCompressed`, in a thread that may be ended at any moment: `port` is what `receiveBodies` gave to it. */
export function createBodyPoster(port: MessagePort): PutBody {
  return async (chunks, options = {}) => {
    const { port1: ours, port2: theirs } = new MessageChannel()
    const answers = on(ours, 'message', { close: ['close'] })
    const nextAnswer = async (): Promise<Exclude<BodyAnswer, BodyFault>> => {
      const { value, done } = await answers.next()
      if (done) throw new Error('The body was not stored.')
      const [answer] = value as [BodyAnswer]
      if (typeof answer === 'object' && 'fault' in answer)
        throw Object.assign(new Error(answer.fault), { code: answer.code })
      return answer
    }
    try {
      port.postMessage({ port: theirs, options } satisfies PostedBody, [theirs])
      let underWay = 0
      for await (const chunk of chunks) {
        ours.postMessage(chunk)
        if (++underWay < MAX_UNDER_WAY) continue
        await nextAnswer()
        underWay--
      }
      ours.postMessage(null)
      for (;;) {
        const answer = await nextAnswer()
        if (answer !== 'taken') return answer.stored
      }
    } finally {
      ours.close()
    }
  }
}
