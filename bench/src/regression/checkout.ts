import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reportProgress } from '../harness/command.ts'
import { ROOT } from '../harness/meadow.ts'
import { runNpm } from '../harness/processes.ts'

/** An earlier version of the project, with its dependencies. */
export interface Checkout extends Disposable {
  /** The abbreviated commit. */
  commit: string
  root: string
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/**
 * Returns the commit of a revision. Without a revision, it is the last commit, or the one before that if there are no
 * changes here.
 */
export const findBase = (revision: string | undefined): string =>
  git(
    'rev-parse',
    '--short',
    '--verify',
    `${revision ?? (git('status', '--porcelain') ? 'HEAD' : 'HEAD^')}^{commit}`,
  )

/** Checks a commit out in a temporary folder, which is removed by disposal and when this process exits. */
export async function checkOut(commit: string): Promise<Checkout> {
  const folder = mkdtempSync(join(tmpdir(), 'meadow-bench-base-'))
  const root = join(folder, commit)
  const remove = () => {
    rmSync(folder, { recursive: true, force: true })
    git('worktree', 'prune')
  }
  process.once('exit', remove)
  reportProgress(`Checking out ${commit}`)
  git('worktree', 'add', '--detach', '--quiet', root, commit)
  await installModules(root)
  return {
    commit,
    root,
    [Symbol.dispose]() {
      process.off('exit', remove)
      remove()
    },
  }
}

/** Uses the installed packages of the working tree when the checkout needs the same ones, which takes no time. */
async function installModules(root: string): Promise<void> {
  const lockOf = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (lockOf(root) === lockOf(ROOT)) {
    for (const workspace of ['', ...listWorkspaces()]) linkModules(workspace, root)
    return
  }
  reportProgress('Installing its packages, since they are others')
  // Scripts would build the web app, which is not measured.
  await runNpm(['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'], root)
}

function listWorkspaces(): string[] {
  const below = (parent: string) => readdirSync(join(ROOT, parent)).map((name) => join(parent, name))
  return ['bench', ...below('apps'), ...below('packages')]
}

function linkModules(workspace: string, root: string): void {
  const modules = join(workspace, 'node_modules')
  if (!existsSync(join(ROOT, modules))) return
  linkEntries(join(ROOT, modules), join(root, modules))
}

/** Links each package. Links to workspaces are copied, since they are relative and lead to those of the checkout. */
function linkEntries(from: string, to: string): void {
  const entries = readdirSync(from, { withFileTypes: true, encoding: 'utf8' })
  mkdirSync(to, { recursive: true })
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.name.startsWith('@')) linkEntries(source, target)
    else symlinkSync(entry.isSymbolicLink() ? readlinkSync(source) : source, target)
  }
}
