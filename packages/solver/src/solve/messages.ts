export interface SolutionMessage {
  nodeInstanceId: string
  level: 'error' | 'warning' | 'remark'
  message: string
}

/** What is told of one node; each message once, and no more than a reader can use. */
export interface MessageBook {
  add(level: SolutionMessage['level'], message: string): void
  list(): SolutionMessage[]
}

const MAX_MESSAGES = 20
const MAX_LENGTH = 500

export function createMessageBook(nodeInstanceId: string): MessageBook {
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
