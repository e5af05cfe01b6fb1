import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  assertTrue,
  booleans,
  buildDefinition,
  slider,
} from '../../packages/check/src/testing/definitions.ts'
import { type Kitchen, openKitchen } from './testing/kitchen.ts'
import { readBlocks } from './testing/read-page.ts'

/*
 * The commands of the pages, as a reader pastes them: the blocks `sh` of a page in their order, in one shell. One that
 * needs what is not here (another machine, a service of others, an id of the reader's) is marked `sh not-run`.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Pages whose commands recipes.slow.test.ts runs, to look at what they make. */
const RECIPES = ['duckdb', 'excel'].map((name) => `docs/recipes/${name}.md`)
const PAGES = [
  ...['README.md', 'apps/cli/README.md', 'sdks/python/README.md'],
  ...globSync(['docs/*.md', 'docs/recipes/*.md', 'integrations/*/README.md'], { cwd: root }).sort(),
]
  .map((page) => page.replaceAll('\\', '/'))
  .filter((page) => !RECIPES.includes(page))

const blocksOf = (page: string) =>
  readBlocks(join(root, page)).filter(({ language, note }) => language === 'sh' && note !== 'not-run')

/** A command that fails ends the shell; a difference that is found is no failure of `meadow diff`. */
const SHELL = `set -o pipefail
trap 'code=$?
if [[ $BASH_COMMAND != "meadow diff "* || $code != 1 ]]; then echo "$BASH_COMMAND: exit code $code" >&2; exit $code; fi' ERR
`

/** What a reader of the pages has, beside a clone: definitions, and a repository with some history. */
function furnish(folder: string): void {
  mkdirSync(folder)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
  for (const name of ['definitions', 'lib', 'my-definitions']) mkdirSync(join(folder, name))
  const write = (name: string, height: number) =>
    writeFileSync(join(folder, name), buildDefinition([slider(1, height, 'Height')]))
  write('definitions/tower.gh', 3)
  writeFileSync(join(folder, 'lib/test_area.gh'), buildDefinition([booleans(1, [true]), assertTrue(2, [1])]))
  write('old.gh', 3)
  write('new.gh', 4)
  git('init', '--quiet', 'my-definitions')
  git('init', '--quiet', '.')
  // The folder is the reader's home, too.
  writeFileSync(join(folder, '.gitconfig'), '[user]\nname = Ann\nemail = ann@example.org\n')
  writeFileSync(join(folder, '.gitignore'), 'node_modules\nmy-definitions\n')
  for (const height of [1, 2, 3, 4]) {
    write('tower.gh', height)
    git('add', '--all')
    git(
      '-c',
      'user.name=Ann',
      '-c',
      'user.email=ann@example.org',
      'commit',
      '--quiet',
      '--message',
      `Height ${height}`,
    )
  }
  copyFileSync(join(folder, 'tower.gh'), join(folder, 'my-definitions/Tower.gh'))
}

describe('the commands of the pages', () => {
  let kitchen: Kitchen
  let team: string
  /** The folder that each page gets a copy of. */
  let furnished: string
  before(async () => {
    kitchen = await openKitchen()
    furnished = join(kitchen.folder, 'furnished')
    furnish(furnished)
    team = /team_\w+/.exec((await kitchen.sh('meadow-server team list --json')).stdout)![0]
  })
  after(() => kitchen?.close())

  test('[REC-5] given the pages, then the first ones that people read have commands that run here', () => {
    const counts = Object.fromEntries(PAGES.map((page) => [page, blocksOf(page).length]))
    assert.ok(counts['README.md']! >= 4, JSON.stringify(counts))
    for (const page of [
      'apps/cli/README.md',
      'docs/cli.md',
      'docs/check.md',
      'docs/git.md',
      'docs/recipes/three.md',
    ])
      assert.ok(counts[page]! > 0, page)
  })

  for (const page of PAGES.filter((one) => blocksOf(one).length > 0)) {
    test(`[REC-5] given ${page}, when its commands are pasted into one shell, in their order, then each does its work`, async () => {
      const folder = join(kitchen.folder, page.replaceAll('/', '-'))
      cpSync(furnished, folder, { recursive: true })
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
      const script =
        SHELL +
        blocksOf(page)
          .map(({ code }) => code)
          .join('\n')
      const { code, stderr } = await kitchen.paste(script, folder, { TEAM: team, HOME: folder })
      assert.equal(code, 0, `${script}\n${stderr}`)
      for (const file of script.matchAll(/(?:--output|>) *([\w.-]+\.(?:csv|parquet|glb|json))\b/g))
        assert.ok(readFileSync(join(folder, file[1]!)).length > 0, `${file[1]} is empty`)
    })
  }
})
