import type { Contract } from '@meadow/contract/description'

const BEGIN = '<!-- tools -->'
const END = '<!-- /tools -->'

/** The table of tools in `docs/mcp.md`. The rest of the page is written by hand. */
export async function writeMcpTools(contract: Contract, current: string): Promise<string> {
  // Imported late: the tools have texts of a file that is generated before this one.
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
  const [before, rest] = current.split(BEGIN)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`docs/mcp.md needs a line ${BEGIN} and a line ${END}.`)
  return `${before}${BEGIN}\n${table.join('\n')}\n${END}${after}`
}
