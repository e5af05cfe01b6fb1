import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createConnections } from './connections.ts'
import { createServer, type Report } from './server.ts'

export interface StdioOptions {
  /** The address of the service. */
  baseUrl: string
  /** An API token. It determines the team, and its scopes the tools. */
  token: string
  /** Takes errors that no caller is told of. Standard output belongs to the protocol: write to standard error. */
  report: Report
}

/** Serves the client that started this process, over standard input and output, until it closes the former. */
export function serveMcpOverStdio({ baseUrl, token, report }: StdioOptions): { close(): Promise<void> } {
  const connections = createConnections(baseUrl)
  return serveStdio(async () => createServer(await connections.open(token), report), { onerror: report })
}
