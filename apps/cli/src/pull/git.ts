import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { CommandFailure, UsageFailure } from '@meadow/command'

const run = promisify(execFile)

/** Fails when the folder is in no git repository, or git is not installed. */
export async function checkRepository(folder: string): Promise<void> {
  try {
    await run('git', ['rev-parse', '--is-inside-work-tree'], { cwd: folder })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new CommandFailure('--commit needs git, which is not installed.')
    throw new UsageFailure(
      `"${folder}" is in no git repository: run "git init" there, or leave --commit out.`,
    )
  }
}

/** Commits everything in the folder, and nothing else of the repository. Returns the commit; undefined without changes. */
export async function commitFolder(folder: string, message: string): Promise<string | undefined> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: folder })).stdout.trim()
  try {
    await git('add', '--all', '--', '.')
    if ((await git('status', '--porcelain', '--', '.')) === '') return undefined
    await git('commit', '--quiet', '--message', message, '--', '.')
    return await git('rev-parse', 'HEAD')
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    const lines = stderr.split('\n').filter((one) => /\S/.test(one) && !one.startsWith('hint:'))
    const said = lines.length > 0 ? lines.slice(0, 2).join(' ') : (error as Error).message
    throw new CommandFailure(`The files are there, but git could not commit them: ${said.trim()}`)
  }
}
