import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { writeJunit } from './report/junit.ts'
import { formatSentences, formatTable } from './report/table.ts'
import { runChecks } from './run-checks.ts'
import { OPTIONS, SECRETS, type Settings } from './settings.ts'

/** What the command takes of its process. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
}

const HELP = `Usage: meadow-conformance [options] BASE_URL

Checks the server at BASE_URL against every sentence of the read-only team document API. The more it is
given, the more it can check; what it lacks is reported as not checked. It changes nothing.

Options:
${Object.values(OPTIONS)
  .map(([name, value, says]) => `  --${`${name} ${value}`.padEnd(23)} ${says}\n`)
  .join('')}  --timeout SECONDS         how long a response may take (60)
  --junit FILE              writes the results as JUnit's XML as well
  --list                    lists the sentences and ends
  --help                    shows this text

Environment:
  ${SECRETS.token.padEnd(27)}a token with every scope (required)
  ${SECRETS.limitedTokens.padEnd(27)}tokens that each lack a scope, separated by commas
  ${SECRETS.revokedToken.padEnd(27)}a token that was revoked
  ${SECRETS.otherToken.padEnd(27)}a token of another team, which has documents
  ${SECRETS.rootlessToken.padEnd(27)}a token of a team that lacks its root folder
  ${SECRETS.expiredLink.padEnd(27)}a download link from an export that has expired

Ends with 0 when nothing failed, 1 when a check failed, 2 when the checks could not run.
`

/** Runs the command. Returns its exit code: 0 when nothing failed, 1 when a check failed, 2 when none could run. */
export async function runCommand(
  args: readonly string[],
  { env, stdout, stderr }: Surroundings,
): Promise<number> {
  try {
    const { values, positionals } = readArguments(args)
    if (values.help || values.list) {
      stdout.write(values.help ? HELP : formatSentences())
      return 0
    }
    const results = await runChecks(readSettings(values, positionals, env))
    stdout.write(formatTable(results))
    if (values.junit !== undefined) await writeFile(values.junit as string, writeJunit(results))
    return results.some(({ outcome }) => outcome.kind === 'failed') ? 1 : 0
  } catch (error) {
    stderr.write(`${(error as Error).message}\n`)
    return 2
  }
}

function readArguments(args: readonly string[]) {
  const texts = [...Object.values(OPTIONS).map(([name]) => name), 'timeout', 'junit']
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...Object.fromEntries(texts.map((name) => [name, { type: 'string' as const }])),
      ...Object.fromEntries(['list', 'help'].map((name) => [name, { type: 'boolean' as const }])),
    },
  })
}

function readSettings(
  values: Readonly<Record<string, unknown>>,
  positionals: readonly string[],
  env: Surroundings['env'],
): Settings {
  const [baseUrl, ...others] = positionals
  if (baseUrl === undefined || others.length > 0)
    throw new Error(
      "Give one BASE_URL, such as https://example.org; 'meadow-conformance --help' has the rest.",
    )
  for (const url of [baseUrl, values['team-url'] ?? baseUrl] as string[])
    if (!isPlainUrl(url)) throw new Error(`"${url}" is not an address such as https://example.org.`)
  const { token, limitedTokens, ...secrets } = readSecrets(env)
  if (!token) throw new Error(`Set ${SECRETS.token} to a token with every scope.`)
  const timeoutMs = Number(values.timeout ?? 60) * 1000
  if (!(timeoutMs > 0)) throw new Error('--timeout is a number of seconds above 0.')
  const given = Object.entries(OPTIONS).map(([setting, [name]]) => [setting, values[name]])
  return {
    baseUrl,
    token,
    timeoutMs,
    ...secrets,
    ...(limitedTokens && { limitedTokens: limitedTokens.split(',').filter((one) => one !== '') }),
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  }
}

/** Reads the variables that have a value. */
const readSecrets = (env: Surroundings['env']): { [name in keyof typeof SECRETS]?: string } =>
  Object.fromEntries(
    Object.entries(SECRETS).flatMap(([setting, variable]) =>
      env[variable] ? [[setting, env[variable]]] : [],
    ),
  )

/** Credentials would be printed with the address. */
function isPlainUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === ''
  )
}
