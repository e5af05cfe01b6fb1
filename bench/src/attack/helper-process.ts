import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endWithThisProcess, stopProcess } from '../servers/server-process.ts'

/** A process that does one thing beside, so that no event loop holds up what another one measures. */
export interface HelperProcess extends AsyncDisposable {
  /** Has it do something and gives what comes of it. Rejects when it fails, or takes longer than `withinMs`. */
  ask<T>(task: unknown, withinMs: number): Promise<T>
}

type Reply = { answer: unknown } | { error: string }

/** Runs a file of this folder. It does one thing after the other, with `answerTasks`. */
export function startHelper(file: string): HelperProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)))
  endWithThisProcess(child)
  return {
    ask: (task, withinMs) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) => settle(() => reject(new Error(`${file} ${why}`)))
        const late = setTimeout(fail, withinMs, `did not answer within ${withinMs} ms.`)
        const onExit = () => fail('ended.')
        const onMessage = (reply: Reply) => {
          if ('error' in reply) fail(`failed: ${reply.error}`)
          else settle(() => resolve(reply.answer as never))
        }
        function settle(how: () => void): void {
          clearTimeout(late)
          child.off('exit', onExit).off('message', onMessage)
          how()
        }
        child.on('exit', onExit).on('message', onMessage)
        child.send(task as object)
      }),
    [Symbol.asyncDispose]: () => stopProcess(child),
  }
}

/** In the process itself: does what it is asked for, until the one that started it goes away. */
export function answerTasks<Task>(answer: (task: Task) => Promise<unknown>): void {
  process.on('message', async (task: Task) => {
    try {
      process.send!({ answer: (await answer(task)) ?? null })
    } catch (error) {
      process.send!({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.on('disconnect', () => process.exit())
  process.on('SIGTERM', () => process.exit())
}
