import type { Contract } from '@meadow/contract/description'
import { replaceSection } from './output.ts'

/** Writes the table of tools in `docs/mcp.md`. The rest of the page is written by hand. */
export async function writeMcpTools(contract: Contract, current: string): Promise<string> {
  // The module is imported late, since the tools have texts of a file that is generated before this one.
  const { describeTools } = await import('@meadow/mcp')
  const endpoints = contract.endpoints.map((endpoint) => ({
    ...endpoint,
    description: endpoint.description ?? '',
    errors: [],
  }))
  const rows = describeTools(endpoints).map(({ name, scope, description, inputSchema }) => {
    const { required = [], properties } = inputSchema
    const names = Object.keys(properties).map((each) => `\`${each}\`${required.includes(each) ? '' : '?'}`)
    return `| \`${name}\` | ${description} | ${names.join(', ')} | \`${scope}\` |`
  })
  const table = [
    '| Tool | | Arguments (`?`: may be left out) | Scope |',
    '| --- | --- | --- | --- |',
    ...rows,
  ]
  return replaceSection(current, 'tools', table.join('\n'))
}
