export interface SolutionMessage {
  nodeInstanceId: string
  level: 'error' | 'warning' | 'remark'
  message: string
}

/** The messages of one node, without repetitions and limited in number and length. */
export interface MessageLog {
  add(level: SolutionMessage['level'], message: string): void
  list(): SolutionMessage[]
}

const MAX_MESSAGES = 20
const MAX_LENGTH = 500

export function createMessageLog(nodeInstanceId: string): MessageLog {
  const known = new Set<string>()
  const messages: SolutionMessage[] = []
  return {
    add(level, text) {
      const message = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
      const key = `${level} ${message}`
      if (messages.length >= MAX_MESSAGES || known.has(key)) return
      known.add(key)
      messages.push({ nodeInstanceId, level, message })
    },
    list: () => messages,
  }
}
