import { type ChildProcess, fork, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A server in a separate process, stopped by disposal. */
export interface ServerProcess extends AsyncDisposable {
  readonly pid: number
  readonly host: string
  readonly port: number
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Kills the child when this process exits. */
export function endWithThisProcess(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Runs a command to its end and returns what it printed. Rejects when its exit code is not 0. */
export async function runToEnd(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  endWithThisProcess(child)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const output = (await child.stdout!.toArray()).join('')
  const code = await exited
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}.`)
  return output
}

/** Runs a file as a separate process and returns the JSON that it prints. */
export const runScript = async <T>(file: URL, ...args: string[]): Promise<T> =>
  JSON.parse(await runToEnd(process.execPath, [fileURLToPath(file), ...args]))

/** Runs npm, preferably the one that runs this script. */
export async function runNpm(args: readonly string[], cwd: string): Promise<void> {
  const npm = process.env.npm_execpath
  await (npm ? runToEnd(process.execPath, [npm, ...args], { cwd }) : runToEnd('npm', args, { cwd }))
}

/** A helper in a separate process, so that its event loop does not delay measurements in another. */
export interface HelperProcess extends AsyncDisposable {
  readonly pid: number
  /** Runs a task and returns its result. Rejects when it fails, or takes longer than `timeoutMs`. */
  run<T>(task: unknown, timeoutMs?: number): Promise<T>
}

type Reply = { result: unknown } | { error: string }

/** Runs a file that calls `serveTasks`. It runs one task at a time. */
export function startHelper(
  file: URL,
  { args = [], env = process.env }: { args?: string[]; env?: NodeJS.ProcessEnv } = {},
): HelperProcess {
  const path = fileURLToPath(file)
  const child = fork(path, args, { env })
  endWithThisProcess(child)
  return {
    pid: child.pid!,
    run: (task, timeoutMs) => runTask(child, path, task, timeoutMs),
    [Symbol.asyncDispose]: () => stopProcess(child),
  }
}

/** Sends a task to a process, called `name` in errors, and returns what it replies, as `HelperProcess.run` does. */
export const runTask = <T>(
  child: ChildProcess,
  name: string,
  task: unknown,
  timeoutMs = 60_000,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const fail = (reason: string) => settle(() => reject(new Error(`${name} ${reason}`)))
    const timer = setTimeout(fail, timeoutMs, `did not answer within ${timeoutMs} ms.`)
    const onExit = () => fail('ended.')
    const onMessage = (reply: Reply) => {
      if ('error' in reply) fail(`failed: ${reply.error}`)
      else settle(() => resolve(reply.result as never))
    }
    function settle(done: () => void): void {
      clearTimeout(timer)
      child.off('exit', onExit).off('message', onMessage)
      done()
    }
    child.on('exit', onExit).on('message', onMessage)
    child.send(task as object)
  })

/** Runs tasks in the helper process until the parent process ends. */
export function serveTasks<Task>(run: (task: Task) => unknown): void {
  process.on('message', async (task: Task) => {
    try {
      process.send!({ result: (await run(task)) ?? null })
    } catch (error) {
      process.send!({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.on('disconnect', () => process.exit())
  process.on('SIGTERM', () => process.exit())
}
