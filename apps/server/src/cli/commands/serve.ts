import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  printable,
  stopOnSignal,
} from '@meadow/command'
import { recordCommand } from '../../audit/record-command.ts'
import { runByItself } from '../../audit/request-context.ts'
import { type Config, readConfig } from '../../config.ts'
import type { DemoOwner } from '../../features/demo/demo-owner.ts'
import type { DemoState, DemoTeam } from '../../features/demo/demo-team.ts'
import type { DemoToken } from '../../features/demo/demo-token.ts'
import { describeListenFailure } from '../../http/connection/listen-failure.ts'
import { DatabaseUnavailableError, findUnavailable } from '../../platform/database/unavailable.ts'
import { createLog, type Log } from '../../platform/log.ts'
import type { Service } from '../../service.ts'

/** `meadow-server serve` */
export const serve: Declaration = {
  name: 'serve',
  description: 'Run the service until it is told to stop (Ctrl-C or SIGTERM).',
  options: {
    '--demo': 'Where there is no team yet, make one with example definitions; print a token for it.',
  },
  examples: [
    'meadow-server serve',
    'meadow-server serve --demo',
    'MEADOW_PORT=8080 MEADOW_HOST=0.0.0.0 meadow-server serve',
  ],
  run: runService,
}

interface ServeOptions {
  demo?: true
}

async function runService({ env, output, stderr }: CommandContext, options: ServeOptions): Promise<void> {
  const config = readConfig(env)
  const isQuiet = wantsQuiet(options, env, stderr)
  const log = isQuiet ? createLog('warn', { format: toSentence }) : createLog(config.logLevel)
  output.message('Opening the database and the file store …')
  const service = await throughOutages(() => startRecorded(config, log)).catch((error) => {
    throw explainListenFailure(error, config)
  })
  await using ending = new AsyncDisposableStack()
  ending.defer(service.stop)
  const stopped = stopOnSignal(service.stop, 'running requests and solves finish first', output.message)
  const demo = options.demo ? await openDemo(service, config, output.message) : undefined
  const command = commandIn(env)
  if (options.demo && !demo) output.message(describeNoDemo(command))
  const address = config.baseUrl ?? service.address
  await output.data({ address, ...(demo && showDemo(address, demo)) }, () =>
    demo ? welcome(address, demo, { command, isQuiet }) : greet(address).join('\n'),
  )
  log.info({ address: service.address }, 'listening')
  await stopped
  log.info('stopped')
}

/** Starts the service and records that. A service whose start could not be recorded is stopped. */
async function startRecorded(config: Config, log: Log): Promise<Service> {
  // The import is dynamic, because all other commands would take twice as long to start.
  const { startService } = await import('../../service.ts')
  const service = await runByItself(() => startService(config, log))
  try {
    await recordCommand(service.database)
    return service
  } catch (error) {
    await service.stop()
    throw error
  }
}

/** How long a start that loses the database is repeated. */
const START_AGAIN_MS = 30_000
const START_AGAIN_EVERY_MS = 250

/**
 * A start that loses the database begins again, as requests do later. A database that cannot be opened in the first place
 * is reported at once: its address may be wrong.
 */
async function throughOutages(start: () => Promise<Service>): Promise<Service> {
  const giveUpAt = performance.now() + START_AGAIN_MS
  for (let wasOpen = false; ; ) {
    try {
      return await start()
    } catch (error) {
      wasOpen ||= error instanceof DatabaseUnavailableError
      if (!wasOpen || !findUnavailable(error) || performance.now() > giveUpAt) throw error
      await sleep(START_AGAIN_EVERY_MS)
    }
  }
}

/**
 * Whether only warnings are logged, as sentences: someone tries the demo in a terminal, where other lines would follow
 * the welcome text at once. A configured level counts.
 */
export const wantsQuiet = (
  { demo }: ServeOptions,
  env: CommandContext['env'],
  stderr: Pick<CommandContext['stderr'], 'isTTY'>,
): boolean => demo === true && stderr.isTTY === true && env.MEADOW_LOG_LEVEL === undefined

/** A line of the log for people: what happened, and why. */
export function toSentence(line: string): string {
  const { msg, reason, err } = JSON.parse(line) as {
    msg?: string
    reason?: string
    err?: { message?: string }
  }
  const why = reason ?? err?.message
  return `! ${printable(msg ?? 'warning')}${why === undefined ? '' : `: ${printable(why)}`}\n`
}

/** The demo team, its owner and its token. */
type Demo = DemoTeam & { owner: DemoOwner; token: DemoToken }

async function openDemo(
  { database, blobs, solving }: Service,
  { dataDir }: Config,
  notify: (text: string) => void,
): Promise<Demo | undefined> {
  const [{ openDemoTeam }, { createDemoOwner }, { openDemoToken }] = await Promise.all([
    import('../../features/demo/demo-team.ts'),
    import('../../features/demo/demo-owner.ts'),
    import('../../features/demo/demo-token.ts'),
  ])
  const demo = await openDemoTeam(
    { database, blobs, listDocuments: solving.store.listDocuments, solve: solving.request },
    notify,
  )
  if (!demo) return undefined
  const { key } = demo.team
  const token = await openDemoToken({ database, dataDir }, key)
  return { ...demo, token, owner: await createDemoOwner(database, key) }
}

const showDemo = (address: string, demo: Demo) => ({
  team: demo.team.id,
  owner: demo.owner,
  token: demo.token.secret,
  tokenExpiresAt: new Date(demo.token.expiresAt).toISOString(),
  try: tryLines(address, demo),
  commands: commandLines(address, demo),
  solutions: demo.examples.map((example) => ({ ...example, try: solutionLine(address, demo, example.id) })),
})

/** The users' command of this clone, by its path: npm would fetch a package of that name elsewhere, whoever's it is. */
const MEADOW = `node "${fileURLToPath(new URL('../../../../cli/bin/meadow.js', import.meta.url))}"`

/** The name of the program: in Windows PowerShell, `curl` alone is another command. */
const CURL = process.platform === 'win32' ? 'curl.exe' : 'curl'

const curl = (address: string, { token }: Demo, path: string): string =>
  `${CURL} -H "Authorization: Bearer ${token.secret}" "${address}/api/v1${path}"`

/** Lines that can be pasted into a shell. */
function tryLines(address: string, demo: Demo): string[] {
  const solved = demo.examples.filter(({ state }) => state === 'solved')
  const exports = solved.map(({ id }) => `/documents/${id}/export?format=.3dm`)
  return ['/team', '/folders/root', '/documents?q=tower', ...exports].map((path) => curl(address, demo, path))
}

/** Lines for the users' command, of which the first one logs in. */
const commandLines = (address: string, { token }: Demo): string[] => [
  `echo ${token.secret} | ${MEADOW} login ${address} --token-stdin`,
  `${MEADOW} tree`,
  `${MEADOW} values "Twisted tower" --csv`,
]

const solutionLine = (address: string, demo: Demo, id: string): string =>
  curl(address, demo, `/documents/${id}/solution`)

const STATES: Record<DemoState, string> = {
  solved: '200, or 202 while it is being solved',
  failed: '502, since its solve fails',
  never: '409, since nobody asked for a solve',
}

/** How the operator's command is called in another shell in the same folder, on the same data. */
function commandIn({ npm_lifecycle_event: script, MEADOW_DATA_DIR: dataDir }: CommandContext['env']): string {
  // npm sets it for the scripts of package.json, and then the command is not in the path of a shell.
  const command = script === undefined ? 'meadow-server' : 'npm run meadow-server --'
  if (dataDir === undefined) return command
  return process.platform === 'win32'
    ? `$env:MEADOW_DATA_DIR = "${dataDir}"; ${command}`
    : `MEADOW_DATA_DIR='${dataDir}' ${command}`
}

const describeNoDemo = (command: string): string =>
  `There are teams already, so no demo team was made. "${command} user list" shows who can sign in.`

const greet = (address: string): string[] => [
  '',
  `Meadow listens at ${address}`,
  `Reference of the API: ${address}/docs`,
]

const describePassword = ({ email, password }: DemoOwner, command: string): string[] =>
  password === undefined
    ? [
        '  password  as the first start showed it. To set a new one:',
        `            ${command} user set-password ${email}`,
      ]
    : [`  password  ${password}   (it is not shown again)`]

function welcome(
  address: string,
  demo: Demo,
  { command, isQuiet }: { command: string; isQuiet: boolean },
): string {
  const { team, owner, token } = demo
  return [
    ...greet(address),
    '',
    `Sign in to the web app at ${address}`,
    `  e-mail    ${owner.email}`,
    ...describePassword(owner, command),
    '',
    `Token for scripts of the team "${team.name}", until ${new Date(token.expiresAt).toISOString().slice(0, 10)}:`,
    `  ${token.secret}`,
    'To create another one, use the settings of the team, or:',
    `  ${command} token create --team ${team.id} --name "My script"`,
    '',
    'Paste these into another shell:',
    ...tryLines(address, demo).map((line) => `  ${line}`),
    '',
    'With the command for users, in any folder:',
    ...commandLines(address, demo).map((line) => `  ${line}`),
    '',
    'Solutions in every state:',
    ...demo.examples.flatMap(({ id, name, state }) => [
      `  "${name}" answers ${STATES[state]}:`,
      `  ${solutionLine(address, demo, id)}`,
    ]),
    '',
    ...(isQuiet ? ['Only warnings are logged here. MEADOW_LOG_LEVEL=info logs every request.'] : []),
    'Ctrl-C stops the server.',
  ].join('\n')
}

/** Explains why the server cannot listen on its address; other errors are returned as they are. */
export function explainListenFailure(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  const variables = { host: 'MEADOW_HOST', port: 'MEADOW_PORT' }
  const advice = describeListenFailure(error, { host, port, variables })
  return advice === undefined ? error : new CommandFailure(advice, { cause: error })
}
