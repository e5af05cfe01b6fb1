import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CommandFailure, type Environment, UsageFailure } from '@meadow/command'
import { writeFile } from '@meadow/command/files'

const run = promisify(execFile)

/** The scope of settings: one repository, or all repositories of the user. */
export type Place = 'local' | 'global'

/** The folder and environment in which git runs. */
export interface Surrounding {
  cwd: string
  env: Environment
}

export interface InstallOptions {
  place: Place
  /** Whether settings of others are replaced. */
  isForced: boolean
}

/** A setting of git, or the lines of the attributes file, and what was done with it. */
export interface Change {
  what: string
  value: string
  change: 'added' | 'updated' | 'unchanged' | 'removed'
}

const BEGIN = '# meadow git install: definitions of Grasshopper'
const END = '# end of meadow git install'
const PATTERNS = ['*.gh', '*.ghx']
const ATTRIBUTES = 'diff=meadow merge=meadow'

/** Creates a function that runs git in a folder, without any prompts. */
function createGit({ cwd, env }: Surrounding) {
  return async (...args: string[]): Promise<string | undefined> => {
    try {
      return (await run('git', args, { cwd, env: { ...env } })).stdout.replace(/\n$/, '')
    } catch (error) {
      const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string }
      if (String(code) === 'ENOENT') throw new CommandFailure('git is not installed.')
      // The setting is not set, or the folder is outside of a repository.
      if (Number(code) === 1 || /not a git repository/.test(stderr)) return undefined
      throw new CommandFailure(`git ${args[0]} failed: ${stderr.trim().split('\n')[0]}`)
    }
  }
}

type Git = ReturnType<typeof createGit>

/**
 * Returns this command in the form in which git's shell has to call it: with absolute paths, which may have spaces and
 * quotes.
 */
function findCommand(): string {
  const folder = dirname(fileURLToPath(import.meta.url))
  const launcher = [join(folder, '../../bin/meadow.js'), join(folder, '../main.js')].find((file) =>
    existsSync(file),
  )!
  return [process.execPath, realpathSync(launcher)].map(quoteForShell).join(' ')
}

/** Quotes a path for git's own sh, which git uses on Windows too. */
const quoteForShell = (path: string): string => `'${path.replaceAll('\\', '/').replaceAll("'", `'\\''`)}'`

/** Doubles percent signs, which commands with placeholders require. */
const escapePercents = (command: string): string => command.replaceAll('%', '%%')

/** Lists the settings of git. `xfuncname` selects the heading of a hunk: the object that the hunk is in. */
function listSettings(command: string): [key: string, value: string][] {
  const filled = escapePercents(command)
  return [
    ['diff.meadow.textconv', `${command} git textconv`],
    ['diff.meadow.cachetextconv', 'true'],
    ['diff.meadow.xfuncname', '^ *(object .*)$'],
    ['merge.meadow.name', 'Definitions of Grasshopper, fact by fact'],
    ['merge.meadow.driver', `${filled} git merge %O %A %B %P`],
  ]
}

/** Whether this command set a value, even if it was installed elsewhere then. */
const isOurs = (key: string, value: string, wanted: string): boolean =>
  value === wanted ||
  (/\.(?:textconv|driver)$/.test(key) &&
    / git (?:textconv|merge)\b/.test(value) &&
    /meadow|main\.js/.test(value))

/** Sets git up. Throws before anything is changed if somebody else's settings are in the way. */
export async function installDrivers(
  { cwd, env }: Surrounding,
  { place, isForced }: InstallOptions,
): Promise<Change[]> {
  const git = createGit({ cwd, env })
  const file = await findAttributesFile(git, place, env)
  const settings = listSettings(findCommand())
  const before = await Promise.all(
    settings.map(async ([key, value]) => ({
      key,
      value,
      old: await git('config', `--${place}`, '--get', key),
    })),
  )
  const text = await readIfThere(file)
  const blocking = [
    ...before
      .filter(({ key, value, old }) => old !== undefined && !isOurs(key, old, value))
      .map(({ key, old }) => `${key} is "${old}"`),
    ...findForeignLines(text).map((line) => `${file} has "${line}"`),
  ]
  if (blocking.length > 0 && !isForced)
    throw new UsageFailure(
      `Nothing was changed, since there are other settings for these files: ${blocking.join('; ')}. Remove them, or replace them with --force.`,
    )
  const changes: Change[] = []
  for (const { key, value, old } of before) {
    if (old !== value) await git('config', `--${place}`, key, value)
    changes.push({
      what: key,
      value,
      change: old === undefined ? 'added' : old === value ? 'unchanged' : 'updated',
    })
  }
  changes.push(await writeBlock(file, text))
  return changes
}

/** Removes what `installDrivers` set, and nothing else. */
export async function uninstallDrivers({ cwd, env }: Surrounding, place: Place): Promise<Change[]> {
  const git = createGit({ cwd, env })
  const file = await findAttributesFile(git, place, env)
  const changes: Change[] = []
  for (const [key, wanted] of listSettings(findCommand())) {
    const old = await git('config', `--${place}`, '--get', key)
    if (old === undefined || !isOurs(key, old, wanted)) continue
    await git('config', `--${place}`, '--unset-all', key)
    changes.push({ what: key, value: old, change: 'removed' })
  }
  const text = await readIfThere(file)
  const rest = withoutBlock(text)
  if (rest !== text) {
    await writeFile(file, rest)
    changes.push({ what: file, value: PATTERNS.join(', '), change: 'removed' })
  }
  return changes
}

export interface Status {
  place: Place
  attributesFile: string
  /** The parts that are set up. */
  diff: boolean
  merge: boolean
  /** Whether git would call this command, and not one that is installed elsewhere. */
  isThisCommand: boolean
}

/** Reads which parts are set up. Throws for `local` outside of a repository. */
export async function readStatus({ cwd, env }: Surrounding, place: Place): Promise<Status> {
  const git = createGit({ cwd, env })
  const attributesFile = await findAttributesFile(git, place, env)
  const text = await readIfThere(attributesFile)
  const hasBlock = text !== withoutBlock(text)
  const get = (key: string) => git('config', `--${place}`, '--get', key)
  const [textconv, driver] = await Promise.all(['diff.meadow.textconv', 'merge.meadow.driver'].map(get))
  return {
    place,
    attributesFile,
    diff: hasBlock && textconv !== undefined,
    merge: hasBlock && driver !== undefined,
    isThisCommand: textconv === `${findCommand()} git textconv`,
  }
}

/** Returns the attributes file: `.gitattributes` of the repository, which a team shares, or the user's own file. */
async function findAttributesFile(git: Git, place: Place, env: Environment): Promise<string> {
  if (place === 'local') {
    const top = await git('rev-parse', '--show-toplevel')
    if (!top)
      throw new UsageFailure(
        'This folder is in no working tree of git: run "git init" there, or use --global.',
      )
    return join(top, '.gitattributes')
  }
  const named = await git('config', '--global', '--type=path', '--get', 'core.attributesFile')
  if (named) return named
  // Git looks in this place when no file is configured.
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return join(folder, 'git', 'attributes')
}

const readIfThere = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

/** Returns lines about our files that somebody else wrote. */
function findForeignLines(text: string): string[] {
  return withoutBlock(text)
    .split(/\r?\n/)
    .filter(
      (line) => /^\s*\S*\.ghx?\s/.test(line) && /(?:^|\s)[-!]?(?:diff|merge|filter|binary)\b/.test(line),
    )
}

function withoutBlock(text: string): string {
  const start = text.indexOf(BEGIN)
  const end = text.indexOf(END, start)
  return start === -1 || end === -1
    ? text
    : text.slice(0, start) + text.slice(end + END.length).replace(/^\r?\n/, '')
}

async function writeBlock(file: string, text: string): Promise<Change> {
  const block = [BEGIN, ...PATTERNS.map((pattern) => `${pattern} ${ATTRIBUTES}`), END].join('\n')
  const value = `${PATTERNS.join(', ')}: ${ATTRIBUTES}`
  const rest = withoutBlock(text)
  const start = text.indexOf(BEGIN)
  const isThere = rest !== text
  const written = isThere
    ? `${text.slice(0, start)}${block}\n${rest.slice(start)}`
    : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${block}\n`
  if (written === text) return { what: file, value, change: 'unchanged' }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, written)
  return { what: file, value, change: isThere ? 'updated' : 'added' }
}
