import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { startTeam } from '../testing/start-team.ts'
import { COMPLETION_SCRIPTS, type Shell } from './scripts.ts'

const NAMES = ['Tower', 'Tower (old)', "Ann's plan", 'Facades/North wall', 'Facades/$(touch x)']

const isInstalled = (shell: Shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0

/** What a real shell offers for a line, as it would insert it. */
const ASKS: Record<Shell, (script: string, words: readonly string[]) => string> = {
  bash: (script, words) => `
source ${script}
COMP_WORDS=(meadow ${words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')})
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_meadow
printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (script, words) => `
compdef() { : }
source ${script}
compadd() { print -rl -- "\${values[@]}" }
_files() { print FILES }
words=(meadow ${words.map((word) => (word === '' ? "''" : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')})
CURRENT=\${#words}
_meadow`,
  fish: (script, words) => `source ${script}; complete -C ${JSON.stringify(`meadow ${words.join(' ')}`)}`,
}

async function startShell(t: TestContext, shell: Shell) {
  const team = await startTeam(t, NAMES)
  const { start, home, ids } = team
  const script = join(home, `script.${shell}`)
  await writeFile(script, COMPLETION_SCRIPTS[shell])
  /** The candidates for the last word. */
  async function ask(...words: string[]): Promise<string[]> {
    const { code, stdout, stderr } = await start(shell, ['-c', ASKS[shell](script, words)]).finished
    assert.equal(code, 0, stderr)
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (shell === 'fish' ? line.split('\t')[0]! : line))
  }
  return { ask, ids }
}

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  describe(`completion in ${shell}`, { skip: !isInstalled(shell) && `${shell} is not installed` }, () => {
    test(`[CMD-14] given the beginning of a line, when ${shell} completes it, then commands, options, values and names are offered`, async (t) => {
      const { ask } = await startShell(t, shell)
      assert.deepEqual(
        (await ask('sol')).map((line) => line.trim()),
        ['solution'],
      )
      assert.deepEqual((await ask('profile', '')).sort(), ['help', 'list', 'use'])
      assert.deepEqual(await ask('export', '--modeler'), ['--modeler-version'])
      assert.deepEqual((await ask('export', '--format', '')).sort(), ['3dm', 'gh', 'glb', 'obj'])
      assert.deepEqual(await ask('ls', 'Fac'), ['Facades'])
    })

    test(`[CMD-14] given names with spaces and quotes, when ${shell} completes them, then they are one word, and nothing is run`, async (t) => {
      const { ask } = await startShell(t, shell)
      const expected =
        shell === 'bash'
          ? [
              'Tower',
              'Tower\\ \\(old\\)',
              "Ann\\'s\\ plan",
              'Facades/\\$\\(touch\\ x\\)',
              'Facades/North\\ wall',
            ]
          : ['Tower', 'Tower (old)', "Ann's plan", 'Facades/$(touch x)', 'Facades/North wall']
      const offered = [
        ...(await ask('get', 'Tow')),
        ...(await ask('get', 'Ann')),
        ...(await ask('get', 'Facades/')),
      ]
      // Fish adds the quotes when it inserts one.
      assert.deepEqual(offered.sort(), expected.sort())
    })
  })
}

describe('completion', () => {
  test('[CMD-14] given no service, when names are completed, then nothing is offered, and no error is shown', async (t) => {
    const { runWith } = await startTeam(t, [])
    const env = { MEADOW_URL: 'http://127.0.0.1:1', MEADOW_TOKEN: 'x' }
    const ask = (...words: string[]) => runWith({ env }, '__complete', '--', ...words)
    const commands = (await ask('')).stdout
    assert.ok(/^pull\t/m.test(commands) && !commands.includes('__complete'), commands)
    assert.deepEqual(await ask('get', 'T'), { code: 0, stdout: '', stderr: '' })
    assert.equal((await ask('pull', '')).stdout, ':files\n')
    assert.equal((await ask('values', 'x', '--output', 'a')).stdout, ':files\n')
    assert.match((await ask('export', '--format=g')).stdout, /^--format=gh\t\n--format=glb\t\n$/)
    assert.match(
      (await ask('values', '--')).stdout,
      /--parquet\tWrite a Parquet file\n[\s\S]*--json\tPrint data as JSON\n/,
    )
  })
})
