import { CommandFailure, UsageFailure } from '@meadow/command'

/** The exit code of jq for a filter that it cannot parse. */
const SYNTAX_ERROR = 3

/**
 * Applies a jq filter to JSON and returns its results, each on a line, texts without quotes (as `jq -r`). This is jq
 * itself, in WebAssembly, without files and without the environment; it is loaded when it is needed.
 */
export async function filterJson(
  json: string,
  filter: string,
  { indent }: { indent: boolean },
): Promise<string> {
  const { default: opening } = await import('jq-web')
  const { raw } = await opening
  try {
    // Parentheses keep a filter from being read as an option.
    const results = raw(json, `(${filter}\n)`, ['-r', indent ? '--indent' : '-c', ...(indent ? ['2'] : [])])
    return results ? `${results}\n` : ''
  } catch (error) {
    throw toFailure(error as Error, filter)
  }
}

/** Returns a failure in jq's own words, without the place in our call. */
function toFailure({ message }: Error, filter: string): CommandFailure {
  const code = Number(/^Non-zero exit code: (\d+)/.exec(message)?.[1])
  const said = message
    .split('\n')
    .filter((line) => /^jq: error/.test(line))
    .map((line) => line.replace(/^jq: error( \(at [^)]*\))?: /, '').replace(/ at <top-level>, line 1:$/, ''))
  const sentence = said[0]?.replace(' (Unix shell quoting issues?)', '') ?? message.split('\n').at(-1)
  return code === SYNTAX_ERROR
    ? new UsageFailure(`The jq filter ${JSON.stringify(filter)} cannot be read: ${sentence}.`)
    : new CommandFailure(`The jq filter ${JSON.stringify(filter)} failed: ${sentence}.`)
}
