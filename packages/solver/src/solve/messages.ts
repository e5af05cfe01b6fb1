import type { MessageCode } from '@meadow/contract'

/** The node that could not be solved, and its name in messages. */
export interface Cause {
  readonly nodeInstanceId: string
  readonly name: string
}

export interface SolutionMessage {
  nodeInstanceId: string
  level: 'error' | 'warning' | 'remark'
  code: MessageCode
  message: string
  /** The node that could not be solved, if the code is `unknown`. */
  causeNodeInstanceId?: string
}

/** The messages of one node, without repetitions and limited in number and length; each code occurs at least once. */
export interface MessageLog {
  /** `code` is by default `failed` for errors and `note` for others. */
  add(level: SolutionMessage['level'], message: string, code?: MessageCode, cause?: Cause): void
  /** Whether a message has one of these codes. */
  has(...codes: readonly MessageCode[]): boolean
  list(): SolutionMessage[]
}

const MAX_MESSAGES = 20
const MAX_LENGTH = 500

export function createMessageLog(nodeInstanceId: string): MessageLog {
  const known = new Set<string>()
  const codes = new Set<MessageCode>()
  const messages: SolutionMessage[] = []
  return {
    add(level, text, code = level === 'error' ? 'failed' : 'note', cause = undefined) {
      const isFull = messages.length >= MAX_MESSAGES && codes.has(code)
      codes.add(code)
      const message = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
      const key = `${level} ${code} ${cause?.nodeInstanceId} ${message}`
      if (isFull || known.has(key)) return
      known.add(key)
      const causeNodeInstanceId = cause?.nodeInstanceId
      messages.push({
        nodeInstanceId,
        level,
        code,
        message,
        ...(causeNodeInstanceId !== undefined && { causeNodeInstanceId }),
      })
    },
    has: (...wanted) => wanted.some((code) => codes.has(code)),
    list: () => messages,
  }
}
