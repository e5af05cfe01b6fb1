import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startDemo } from '../../../apps/web/src/testing/start-demo.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The documents of the demo that recipes use. */
const SOLVED = ['Twisted tower', 'Truss bridge']

export type Kitchen = Awaited<ReturnType<typeof openKitchen>>

/** An empty folder with a demo team and the command `meadow`, as a reader of the recipes has it. */
export async function openKitchen() {
  const demo = await startDemo({ solved: SOLVED })
  const folder = await mkdtemp(join(tmpdir(), 'meadow-recipes-'))
  const commands = join(folder, '.commands')
  await mkdir(commands)
  for (const [name, path] of [
    ['meadow', 'apps/cli/bin/meadow.js'],
    ['meadow-server', 'apps/server/bin/meadow-server.js'],
  ] as const) {
    const script = `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, path)}" "$@"\n`
    await writeFile(join(commands, name), script, { mode: 0o755 })
  }
  const environment = {
    // biome-ignore lint/style/noProcessEnv: commands inherit the environment.
    ...process.env,
    // biome-ignore lint/style/noProcessEnv: as above.
    PATH: `${commands}${delimiter}${process.env.PATH}`,
    MEADOW_URL: demo.address,
    MEADOW_TOKEN: demo.token,
    MEADOW_DATA_DIR: demo.dataDir,
    MEADOW_CONFIG_DIR: join(folder, '.config'),
    PYTHONPATH: join(ROOT, 'sdks/python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  const run = (command: string, args: string[], cwd = folder) =>
    promisify(execFile)(command, args, { cwd, env: environment, encoding: 'utf8' })
  /** Runs lines as the shell of a workflow does. */
  const sh = (lines: string, cwd = folder) => run('bash', ['-eo', 'pipefail', '-c', lines], cwd)
  /** Pastes lines into one shell that goes on after a failure, unless they say otherwise; never rejects. */
  async function paste(lines: string, cwd: string, more: Record<string, string> = {}) {
    const shell = spawn('bash', ['-c', lines], {
      cwd,
      env: { ...environment, ...more },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [[code], stderr] = await Promise.all([once(shell, 'close'), text(shell.stderr)])
    return { code: code as number | null, stderr }
  }
  await sh(`meadow wait ${SOLVED.map((name) => `"${name}"`).join(' ')}`)
  return {
    folder,
    run,
    sh,
    paste,
    async close() {
      await demo.stop()
      await rm(folder, { recursive: true })
    },
  }
}
