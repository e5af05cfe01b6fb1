import { Command } from 'commander'
import { createCatalogue } from '../../catalogue/catalogue.ts'
import { readConfig } from '../../config.ts'
import type { DemoOwner } from '../../features/demo/demo-owner.ts'
import type { DemoAccess, DemoState } from '../../features/demo/demo-team.ts'
import { createLog } from '../../platform/log.ts'
import { findCode } from '../../platform/system-errors.ts'
import type { Service } from '../../service.ts'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { CommandFailure } from '../failure.ts'
import { examples } from '../help.ts'
import { stopOnSignal } from '../signals.ts'

/** `meadow-server serve` */
export const serve = (start: StartCommand): Command =>
  new Command('serve')
    .description('Run the service until it is told to stop (Ctrl-C or SIGTERM).')
    .option('--demo', 'Where there is no team yet, make one with example definitions; print a token for it.')
    .action(start(runService))
    .addHelpText(
      'after',
      examples(
        'meadow-server serve',
        'meadow-server serve --demo',
        'MEADOW_PORT=8080 MEADOW_HOST=0.0.0.0 meadow-server serve',
      ),
    )

async function runService({ env, output }: CommandContext, options: { demo?: true }): Promise<void> {
  const config = readConfig(env)
  const log = createLog(config.logLevel)
  output.message('Opening the database …')
  // Not a static import: all other commands would take twice as long to start.
  const { startService } = await import('../../service.ts')
  const service = await startService(config, log).catch((error) => {
    throw explainListenFailure(error, config)
  })
  const stopped = stopOnSignal(service.stop, 'running requests and solves finish first', output.message)
  const demo = options.demo ? await openDemo(service, output.message) : undefined
  const address = config.baseUrl ?? service.address
  output.data({ address, ...(demo && showDemo(address, demo)) }, () => welcome(address, demo))
  log.info({ address: service.address }, 'listening')
  await stopped
  log.info('stopped')
}

/** The demo team, and its owner when the account was created now. */
type Demo = DemoAccess & { owner: DemoOwner | undefined }

async function openDemo(
  { database, blobs, solving }: Service,
  notify: (text: string) => void,
): Promise<Demo | undefined> {
  const [{ openDemoTeam }, { createDemoOwner }] = await Promise.all([
    import('../../features/demo/demo-team.ts'),
    import('../../features/demo/demo-owner.ts'),
  ])
  const access = await openDemoTeam(
    {
      catalogue: createCatalogue(database),
      blobs,
      listDocuments: solving.store.listDocuments,
      solve: solving.request,
    },
    notify,
  )
  return access && { ...access, owner: await createDemoOwner(database, access.team.key) }
}

const showDemo = (address: string, demo: Demo) => ({
  team: demo.team.id,
  ...(demo.owner && { owner: demo.owner }),
  token: demo.token,
  try: tryLines(address, demo),
  solutions: demo.examples.map((example) => ({ ...example, try: solutionLine(address, demo, example.id) })),
})

const curl = (address: string, token: string, path: string): string =>
  `curl -H "Authorization: Bearer ${token}" "${address}/api/v1${path}"`

/** Lines that can be pasted into a shell. */
function tryLines(address: string, { token, examples }: DemoAccess): string[] {
  const solved = examples.filter(({ state }) => state === 'solved')
  const exports = solved.map(({ id }) => `/documents/${id}/export?format=.3dm`)
  return ['/team', '/folders/root', '/documents?q=tower', ...exports].map((path) =>
    curl(address, token, path),
  )
}

const solutionLine = (address: string, { token }: DemoAccess, id: string): string =>
  curl(address, token, `/documents/${id}/solution`)

const STATES: Record<DemoState, string> = {
  solved: '200, or 202 while it is being solved',
  failed: '502, since its solve fails',
  never: '409, since nobody asked for a solve',
}

function welcome(address: string, demo: Demo | undefined): string {
  const lines = ['', `Meadow listens at ${address}`, `Reference of the API: ${address}/docs`]
  if (!demo) return lines.join('\n')
  return [
    ...lines,
    '',
    ...(demo.owner
      ? [
          'Sign in to the web app, as shown this once:',
          `  e-mail    ${demo.owner.email}`,
          `  password  ${demo.owner.password}`,
          '',
        ]
      : []),
    `Token for the team "${demo.team.name}", good for 30 days:`,
    `  ${demo.token}`,
    '',
    'Paste these into another shell:',
    ...tryLines(address, demo).map((line) => `  ${line}`),
    '',
    'Solutions in every state:',
    ...demo.examples.flatMap(({ id, name, state }) => [
      `  "${name}" answers ${STATES[state]}:`,
      `  ${solutionLine(address, demo, id)}`,
    ]),
    '',
    'Ctrl-C stops the server.',
  ].join('\n')
}

/** The address that a server should listen on. */
interface ListenAddress {
  host: string
  port: number
}

/** Explains why the server cannot listen on an address; other errors are returned as they are. */
export function explainListenFailure(error: unknown, { host, port }: ListenAddress): unknown {
  const code = findCode(error)
  const advice = code !== undefined && isOfAddress(error) ? ADVICE[code]?.({ host, port }) : undefined
  return advice === undefined ? error : new CommandFailure(advice, { cause: error })
}

const ADVICE: Record<string, (address: ListenAddress) => string> = {
  EADDRINUSE: ({ port }) =>
    `Port ${port} is in use. Set MEADOW_PORT to another one, or stop what listens there.`,
  EACCES: ({ port }) =>
    `This user may not listen on port ${port}: ports below 1024 are kept for the administrator. Set MEADOW_PORT to a ` +
    'higher one.',
  EADDRNOTAVAIL: ({ host }) =>
    `This machine does not have the address "${host}". Set MEADOW_HOST to one that it has, or to 0.0.0.0 for all.`,
  ENOTFOUND: ({ host }) => `There is no host "${host}". Set MEADOW_HOST to an address of this machine.`,
}

/** Files have the same codes. */
const isOfAddress = (error: unknown): boolean =>
  ['listen', 'bind', 'getaddrinfo'].includes(String((error as NodeJS.ErrnoException).syscall))
