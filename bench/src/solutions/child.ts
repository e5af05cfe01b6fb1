import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endWithThisProcess } from '../servers/server-process.ts'

/** Runs a file of this folder as a process of its own, and gives the JSON that it prints. */
export async function runChild<T>(file: string, ...args: string[]): Promise<T> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithThisProcess(child)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const said = (await child.stdout.toArray()).join('')
  const code = await ended
  if (code !== 0) throw new Error(`${file} ended with ${code}.`)
  return JSON.parse(said)
}
