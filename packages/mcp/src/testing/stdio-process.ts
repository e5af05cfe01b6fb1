import { serveMcpOverStdio } from '../stdio.ts'

const [baseUrl, token] = process.argv.slice(2)

/** MCP over standard input and output, as the command runs it. */
serveMcpOverStdio({
  baseUrl: baseUrl!,
  token: token!,
  report: (error) => void process.stderr.write(`${error}\n`),
})
