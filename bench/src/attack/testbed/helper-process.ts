import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endWithThisProcess, stopProcess } from '../../servers/server-process.ts'

/** A helper in a separate process, so that its event loop does not delay measurements in another. */
export interface HelperProcess extends AsyncDisposable {
  /** Runs a task and returns its result. Rejects when it fails, or takes longer than `timeoutMs`. */
  run<T>(task: unknown, timeoutMs: number): Promise<T>
}

type Reply = { result: unknown } | { error: string }

/** Runs a file of this folder. It runs one task at a time, with `answerTasks`. */
export function startHelper(file: string): HelperProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)))
  endWithThisProcess(child)
  return {
    run: (task, timeoutMs) =>
      new Promise((resolve, reject) => {
        const fail = (reason: string) => settle(() => reject(new Error(`${file} ${reason}`)))
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
      }),
    [Symbol.asyncDispose]: () => stopProcess(child),
  }
}

/** In the helper process: runs tasks until the parent process ends. */
export function serveTasks<Task>(run: (task: Task) => Promise<unknown>): void {
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
