export { type HttpOptions, type RunningHttp, serveMcpOverHttp } from './http.ts'
export type { Report } from './server.ts'
export { type StdioOptions, serveMcpOverStdio } from './stdio.ts'
export { describeTools, type ToolDescription } from './tools/tools.ts'
