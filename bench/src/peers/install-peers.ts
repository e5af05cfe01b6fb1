import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say } from '../say.ts'
import { KEPT } from '../team/kept-teams.ts'

const PACKAGE = fileURLToPath(new URL('../../peers', import.meta.url))

/** The `node_modules` of the peers, installed at their locked versions unless an earlier run did it. */
export async function installPeers(): Promise<string> {
  const lock = await readFile(join(PACKAGE, 'package-lock.json'))
  const folder = join(KEPT, `peers-${createHash('sha256').update(lock).digest('hex').slice(0, 10)}`)
  if (!existsSync(folder)) {
    say(`Installing the peers in ${folder} (once, about 320 MB)`)
    const unfinished = `${folder}-unfinished`
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { recursive: true })
    for (const name of ['package.json', 'package-lock.json']) {
      await copyFile(join(PACKAGE, name), join(unfinished, name))
    }
    await runNpm(['ci', '--ignore-scripts'], unfinished)
    await rename(unfinished, folder)
  }
  return join(folder, 'node_modules')
}

async function runNpm(args: string[], cwd: string): Promise<void> {
  // The npm that runs this script, where one does.
  const npm = process.env.npm_execpath
  const [command, before] = npm ? [process.execPath, [npm]] : ['npm', []]
  const child = spawn(command, [...before, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The peers could not be installed.')
}
