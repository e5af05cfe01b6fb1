import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { runCommand } from '../apps/server/src/cli/program.ts'
import { VARIABLES } from '../apps/server/src/config/variables.ts'
import { checkSettings, readText } from './testing.ts'

const FOLDER = join(import.meta.dirname, 'systemd')
const units = readdirSync(FOLDER).filter((name) => /\.(service|timer)$/.test(name))

/** The settings of a unit; the last of several with one name. */
const readUnit = (name: string): Record<string, string> =>
  Object.fromEntries(
    readText(`deploy/systemd/${name}`)
      .split('\n')
      .filter((line) => line !== '' && !/^[#[]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

/** The lines `NAME=value`, also those that are commented out. */
const readEnvironment = (text: string, all: boolean): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => (all ? line.replace(/^#(?=[A-Z_]+=)/, '') : line))
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

test('[OPS-4] given the file with settings, then Meadow accepts it as it is, and with all that is commented out', () => {
  const text = readText('deploy/systemd/meadow.env').replaceAll('CHANGE-ME', 'c'.repeat(32))
  for (const all of [false, true]) checkSettings(readEnvironment(text, all), Object.keys(VARIABLES))
})

test('[OPS-4] given the services, then their commands exist, and systemd waits until Meadow has stopped', async () => {
  for (const unit of units.filter((name) => name.endsWith('.service'))) {
    const settings = readUnit(unit)
    const [path, ...args] = settings.ExecStart!.split(' ')
    assert.equal(path, '/opt/meadow/node_modules/.bin/meadow-server')
    const ignored = { write: (_: string, done?: () => void) => done?.(), on: () => {} }
    const streams = { stdout: ignored as never, stderr: ignored as never }
    assert.equal(await runCommand([...args, '--help'], { env: {}, ...streams }), 0, unit)
    const own = Object.fromEntries((settings.Environment ?? '').split(' ').map((pair) => pair.split('=')))
    const grace = own.MEADOW_STOP_GRACE_SECONDS ?? VARIABLES.MEADOW_STOP_GRACE_SECONDS.default
    if (settings.TimeoutStopSec) assert.ok(Number(settings.TimeoutStopSec) > Number(grace), unit)
    assert.equal(settings.NoNewPrivileges, 'true', unit)
    assert.equal(settings.ProtectSystem, 'strict', unit)
    // V8 makes code while it runs.
    assert.equal(settings.MemoryDenyWriteExecute, undefined, unit)
  }
})

const run = promisify(execFile)
const hasSystemd = await run('systemd-analyze', ['--version']).then(
  () => true,
  () => false,
)

test('[OPS-4] given systemd, then it accepts the units', {
  skip: !hasSystemd && 'systemd-analyze is not installed',
}, async () => {
  const said = await run('systemd-analyze', [
    'verify',
    '--man=no',
    ...units.map((unit) => join(FOLDER, unit)),
  ]).then(
    ({ stderr }) => stderr,
    ({ stderr }) => stderr as string,
  )
  // The command is not installed there on the machine that tests.
  const mistakes = said
    .split('\n')
    .filter((line) => line !== '' && !line.includes('meadow-server is not executable'))
  assert.deepEqual(mistakes, [])
})
