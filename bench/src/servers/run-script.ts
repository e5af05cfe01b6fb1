import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endWithThisProcess } from './server-process.ts'

/** Runs a file as a separate process and returns the JSON that it prints. */
export async function runScript<T>(file: URL, ...args: string[]): Promise<T> {
  const path = fileURLToPath(file)
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithThisProcess(child)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const output = (await child.stdout.toArray()).join('')
  const code = await exited
  if (code !== 0) throw new Error(`${path} ended with ${code}.`)
  return JSON.parse(output)
}
