import { closeSync, openSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { endProcessScope } from '../apps/server/src/testing/process-scope.ts'
import { noteUse, readProcessorSeconds } from './report-tests.ts'

/*
 * Runs test files one after another in one process, each as a suite with the name of its file. Several of these processes
 * take their files from the same list: who creates the file of a number first has claimed it. tools/run-tests.ts starts
 * them.
 *
 * A test that does not end stops its file after `patience` seconds, in words that name the test. One that also keeps the
 * thread busy ends the process, a little later.
 */

/** The task of a worker, which is JSON in its last argument. */
export interface WorkerTask {
  /** The paths of the files, relative to the current folder. */
  files: string[]
  /** The folder in which workers claim files. */
  claims: string
  /** The file in which workers note the processor time of files. */
  used: string
  /** The maximum number of files that the worker runs. */
  most: number
  /** The maximum time of a test, in seconds. */
  patience: number
}

const LEFT_OPEN_MS = 2_000

/** The part of the time for which a thread works that has something to report. */
const BUSY = 0.1

const { files, claims, used, most, patience }: WorkerTask = JSON.parse(process.argv.at(-1)!)

/** Ends the process when its thread has been busy for too long to end the test itself. */
const watchdog = new Worker(
  `const { parentPort } = require('node:worker_threads')
  let timer
  parentPort.on('message', (test) => {
    clearTimeout(timer)
    if (test) timer = setTimeout(() => {
      process._rawDebug(test + ' keeps its process busy without an end. The process is killed.')
      process.kill(process.pid, 'SIGKILL')
    }, ${1.5 * patience * 1000})
  })`,
  { eval: true },
)
watchdog.unref()

let left = most
for (const [index, file] of files.entries()) {
  if (left === 0) break
  if (!claim(index)) continue
  left--
  const before = readProcessorSeconds()
  await runFile(file)
  if (before !== undefined) noteUse(used, file, readProcessorSeconds()! - before)
}
await endProcessScope()
endWhenIdle()
// At a natural end, Node.js closes what is left, and may wait without end for a connection that was being made.
process.once('beforeExit', () => process.exit())

/**
 * Ends the process, so that anything that a stopped test left open does not keep it running. While the thread is busy,
 * there are still results to report, which takes longest on a busy machine.
 */
function endWhenIdle(): void {
  const before = performance.eventLoopUtilization()
  setTimeout(() => {
    if (performance.eventLoopUtilization(before).utilization > BUSY) endWhenIdle()
    else process.exit()
  }, LEFT_OPEN_MS).unref()
}

function claim(index: number): boolean {
  try {
    closeSync(openSync(join(claims, String(index)), 'wx'))
    return true
  } catch {
    return false
  }
}

async function runFile(file: string): Promise<void> {
  const stop = new AbortController()
  await describe(file, { signal: stop.signal }, async () => {
    const timers = new Map<string, NodeJS.Timeout>()
    beforeEach(({ fullName }) => {
      const name = `${basename(file)}: "${fullName}"`
      const end = () =>
        stop.abort(new Error(`${name} did not end within ${patience} s, so its file was stopped.`))
      timers.set(fullName, setTimeout(end, patience * 1000))
      watchdog.postMessage(name)
    })
    afterEach(({ fullName }) => {
      clearTimeout(timers.get(fullName))
      watchdog.postMessage(undefined)
    })
    await import(pathToFileURL(resolve(file)).href)
  })
}
