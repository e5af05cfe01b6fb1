import type { MessageCode } from '@meadow/contract'

export interface SolutionMessage {
  nodeInstanceId: string
  level: 'error' | 'warning' | 'remark'
  code: MessageCode
  message: string
  /** With code `unknown`: the node that could not be solved. */
  causeNodeInstanceId?: string
}

/** The messages of one node, without repetitions and limited in number and length. */
export interface MessageLog {
  /** `code` is by default `failed` for errors and `note` for others. */
  add(level: SolutionMessage['level'], message: string, code?: MessageCode, cause?: string): void
  list(): SolutionMessage[]
}

const MAX_MESSAGES = 20
const MAX_LENGTH = 500

export function createMessageLog(nodeInstanceId: string): MessageLog {
  const known = new Set<string>()
  const messages: SolutionMessage[] = []
  return {
    add(level, text, code = level === 'error' ? 'failed' : 'note', cause = undefined) {
      const message = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
      const key = `${level} ${code} ${cause} ${message}`
      if (messages.length >= MAX_MESSAGES || known.has(key)) return
      known.add(key)
      messages.push({
        nodeInstanceId,
        level,
        code,
        message,
        ...(cause === undefined ? {} : { causeNodeInstanceId: cause }),
      })
    },
    list: () => messages,
  }
}
