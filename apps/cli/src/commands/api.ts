import { API_PREFIX } from '@meadow/client'
import { ENDPOINT_DESCRIPTIONS } from '@meadow/client/endpoints'
import { InvalidArgumentError, UsageFailure } from '@meadow/command'
import type { Command, CommandContext } from '../command-context.ts'
import { exitCodeOf, readFailure } from '../failure.ts'
import { filterJson } from '../output/jq.ts'

interface ApiOptions {
  query: Record<string, string>
  header: Record<string, string>
  include?: true
  head?: true
}

const paths = ENDPOINT_DESCRIPTIONS.map(({ path, summary }) => `  ${path.padEnd(36)}${summary}`)

/** `meadow api` sends any request to the API. */
export const apiCommand: Command = {
  name: 'api',
  description: 'Send a request to the API, and print the answer as it is.',
  arguments: { '<path>': `The path below ${API_PREFIX}, with or without its query.` },
  options: {
    '-q, --query <name=value>': {
      says: 'A query parameter; may be repeated.',
      read: collect('='),
      default: {},
    },
    '-H, --header <name:value>': { says: 'A header; may be repeated.', read: collect(':'), default: {} },
    '-i, --include': 'Print the status and the headers, too.',
    '--head': 'Send HEAD in place of GET.',
  },
  notes: ['', 'Paths:', ...paths].join('\n'),
  examples: [
    'meadow api /team',
    'meadow api /documents -q q=tower',
    "meadow api '/documents?q=tower' --jq '.documents[0].id'",
    'meadow api /documents/ID/solution -H "Prefer: wait=30" -i',
  ],
  run: callApi,
}

async function callApi(context: CommandContext, path: string, options: ApiOptions): Promise<void> {
  const { output, signal, stdout } = context
  if (Object.keys(options.header).some((name) => name.toLowerCase() === 'authorization'))
    throw new UsageFailure(
      'The token is that of the profile or of MEADOW_TOKEN: leave out the header Authorization.',
    )
  const meadow = await context.openMeadow()
  // The query stays in the path, since a repeated parameter means something else than its last value.
  const response = await meadow.request(path, {
    ...(options.head && { method: 'HEAD' }),
    query: options.query,
    headers: options.header,
    signal,
  })
  const { status, headers } = response
  if (options.include) {
    const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
    output.write(`${[`HTTP ${status}`, ...lines].join('\n')}\n\n`)
  }
  const isOk = status === 200 || status === 304
  const failure = isOk ? undefined : await readFailure(response.clone(), path.replace(/\?.*/s, ''))
  const body = await response.text()
  if (failure && !options.include) throw failure
  const { jq } = context.options
  if (jq !== undefined && body !== '')
    output.write(await filterJson(body, jq, { indent: stdout.isTTY === true }))
  else if (body !== '') output.write(body.endsWith('\n') ? body : `${body}\n`)
  if (failure) context.endWith(exitCodeOf(failure))
}

/** Collects `name=value` options in an object. */
function collect(separator: string) {
  return (text: string, before: Record<string, string>): Record<string, string> => {
    const at = text.indexOf(separator)
    if (at < 1) throw new InvalidArgumentError(`It must be such as name${separator}value.`)
    return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1).trim() }
  }
}
