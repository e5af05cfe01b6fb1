import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const README = join(import.meta.dirname, '../../README.md')

/** The examples of the README in a language. */
export const readExamples = (language: string): string[] =>
  [...readFileSync(README, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code]) => code!,
  )

/** What an example says that it prints. */
export const listPromises = (code: string): string =>
  [...code.matchAll(/^ *\/\/ prints (.*)$/gm)].map(([, line]) => `${line}\n`).join('')

/** Runs an example in a folder; returns what it prints. */
export async function runExample(code: string, folder: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const located = code.replaceAll(
    /from '(@meadow\/[^']+)'/g,
    (_, name) => `from '${import.meta.resolve(name)}'`,
  )
  await writeFile(join(folder, 'example.ts'), located)
  const { stdout } = await promisify(execFile)(process.execPath, ['example.ts'], { cwd: folder, env })
  return stdout
}
