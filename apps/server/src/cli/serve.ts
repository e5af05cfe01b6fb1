import { Command } from 'commander'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { readConfig } from '../config.ts'
import { type DemoAccess, type DemoState, openDemoTeam } from '../features/demo/demo-team.ts'
import { createLog } from '../platform/log.ts'
import { type Service, startService } from '../service.ts'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { CommandFailure } from './failure.ts'
import { stopOnSignal } from './stop-on-signal.ts'

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
  const service = await listen(() => startService(config, log), config.port)
  const stopped = stopOnSignal(service.stop, 'running requests and solves finish first', output.message)
  const demo = options.demo ? await openDemo(service, output.message) : undefined
  const address = config.baseUrl ?? service.address
  output.data({ address, ...(demo && showDemo(address, demo)) }, () => welcome(address, demo))
  log.info({ address: service.address }, 'listening')
  await stopped
  log.info('stopped')
}

async function listen(start: () => Promise<Service>, port: number): Promise<Service> {
  try {
    return await start()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new CommandFailure(
      `Port ${port} is in use. Set MEADOW_PORT to another one, or stop what listens there.`,
    )
  }
}

const openDemo = ({ database, blobs, solving }: Service, say: (text: string) => void) =>
  openDemoTeam(
    {
      catalogue: createCatalogue(database),
      blobs,
      listDocuments: solving.store.listDocuments,
      solve: solving.ask,
    },
    say,
  )

const showDemo = (address: string, demo: DemoAccess) => ({
  team: demo.team.id,
  token: demo.token,
  try: tryLines(address, demo),
  solutions: demo.examples.map((example) => ({ ...example, try: solutionLine(address, demo, example.id) })),
})

const curl = (address: string, token: string, path: string): string =>
  `curl -H "Authorization: Bearer ${token}" "${address}/api/v1${path}"`

/** Lines that work when they are pasted into a shell. */
const tryLines = (address: string, { token }: DemoAccess): string[] =>
  ['/team', '/folders/root', '/documents?q=tower'].map((path) => curl(address, token, path))

const solutionLine = (address: string, { token }: DemoAccess, id: string): string =>
  curl(address, token, `/documents/${id}/solution`)

const STATES: Record<DemoState, string> = {
  solved: '200, or 202 while it is being solved',
  failed: '502, since its solve fails',
  never: '409, since nobody asked for a solve',
}

function welcome(address: string, demo: DemoAccess | undefined): string {
  const lines = ['', `Meadow listens at ${address}`, `Reference: ${address}/docs`]
  if (!demo) return lines.join('\n')
  return [
    ...lines,
    '',
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
