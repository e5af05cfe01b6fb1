import { once } from 'node:events'
import { Command } from 'commander'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { readConfig } from '../config.ts'
import { type DemoAccess, openDemoTeam } from '../features/demo/demo-team.ts'
import { createLog } from '../platform/log.ts'
import { type Service, startService } from '../service.ts'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { CommandFailure } from './failure.ts'

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
  const stopped = stopOnSignal(service, output.message)
  const demo = options.demo
    ? await openDemoTeam(createCatalogue(service.database), service.blobs, output.message)
    : undefined
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

/** Ends when the service has stopped. A second signal ends the process without waiting for requests that run. */
async function stopOnSignal(service: Service, say: (text: string) => void): Promise<void> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  say('Stopping: running requests finish first. Press Ctrl-C again to stop at once.')
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130))
  await service.stop()
}

const showDemo = (address: string, { team, token }: DemoAccess) => ({
  team: team.id,
  token,
  try: tryLines(address, token),
})

/** Three lines that work when they are pasted into a shell. */
const tryLines = (address: string, token: string): string[] =>
  ['/team', '/folders/root', '/documents?q=tower'].map(
    (path) => `curl -H "Authorization: Bearer ${token}" "${address}/api/v1${path}"`,
  )

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
    ...tryLines(address, demo.token).map((line) => `  ${line}`),
    '',
    'Ctrl-C stops the server.',
  ].join('\n')
}
