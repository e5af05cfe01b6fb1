import { type ChildProcess, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Environment } from '@meadow/command'
import { atEnd } from '../../../server/src/testing/at-end.ts'
import { createQuickFolder, removeQuickFolder } from '../../../server/src/testing/quick-folder.ts'

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

export const LAUNCHER = fileURLToPath(new URL('../../../../node_modules/.bin/meadow', import.meta.url))

/** What a user may have set, and what would make the command do other things than the test asks for. */
const STEERS = /^(NO_COLOR|FORCE_COLOR|NODE_DISABLE_COLORS|TERM|CI|XDG_CONFIG_HOME|MEADOW_.*|GIT_.*)$/

export const environment: Environment = Object.fromEntries(
  // biome-ignore lint/style/noProcessEnv: what tests start runs in their environment.
  Object.entries(process.env).filter(([name]) => !STEERS.test(name)),
)

/** A folder that is removed at the end. */
export async function createFolder(t: TestContext): Promise<string> {
  const folder = await createQuickFolder('meadow-cli-')
  atEnd(t, () => removeQuickFolder(folder))
  return folder
}

/** Programs that find `meadow` as npm installs it, with a home of their own, and these variables. */
export async function createStarter(t: TestContext, env: Environment = {}) {
  const home = await createFolder(t)
  const variables = { ...environment, PATH: `${dirname(LAUNCHER)}${delimiter}${environment.PATH}`, ...env }

  /** Starts a program, which is killed at the end. */
  function start(
    command: string,
    args: readonly string[],
    options: { cwd?: string; env?: Environment } = {},
  ) {
    const child = spawn(command, args, {
      cwd: options.cwd ?? home,
      env: { ...variables, HOME: home, ...options.env },
    })
    child.stdin.end()
    atEnd(t, () => void child.kill('SIGKILL'))
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    const finished = once(child, 'close').then(([code]): Finished => ({ code, stdout, stderr }))
    return { child, finished }
  }

  return { home, variables, start }
}

/** Waits for the code that a started login shows, with the page at this address. */
export async function readLoginCode(child: ChildProcess, address: string): Promise<string> {
  let text = ''
  for await (const [piece] of on(child.stderr!, 'data', { close: ['close'] })) {
    text += piece
    const [, page, code] = /^Open (\S+) in a browser.*: ([A-Z]{4}-[A-Z]{4})$/m.exec(text) ?? []
    if (!code) continue
    if (page !== `${address}/device?code=${code}`) throw new Error(`The login names another page: ${text}`)
    return code
  }
  throw new Error(`The login shows no code: ${text}`)
}
