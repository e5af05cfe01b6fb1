import assert from 'node:assert/strict'
import { chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createFolder } from '../testing/definition-folder.ts'
import { createCommandLine, noLauncher } from '../testing/meadow-server.ts'

const COMMANDS = [
  ['serve'],
  ['team', 'create'],
  ['team', 'list'],
  ['team', 'credits'],
  ['token', 'create'],
  ['token', 'list'],
  ['token', 'replace'],
  ['token', 'revoke'],
  ['token', 'policy'],
  ['document', 'share'],
  ['import'],
  ['solve'],
  ['work'],
]

describe('the command line', { skip: noLauncher }, () => {
  test('[CLI-9] given any command, when help is requested, then it shows examples and --json', async (t) => {
    const { run } = await createCommandLine(t)
    const helps = await Promise.all(COMMANDS.map((command) => run(...command, '--help')))
    for (const [index, { code, stdout, stderr }] of helps.entries()) {
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      assert.ok(stdout.includes(`  $ meadow-server ${COMMANDS[index]!.join(' ')}`), stdout)
      assert.ok(stdout.includes('--json'), stdout)
    }
  })

  test('[CLI-9] given no command, when help is requested, then it lists the commands and the variables', async (t) => {
    const { run } = await createCommandLine(t)
    const { code, stdout } = await run('--help')
    assert.equal(code, 0)
    for (const name of ['serve', 'team', 'token', 'import', 'MEADOW_DATA_DIR', 'DATABASE_URL']) {
      assert.ok(stdout.includes(name), name)
    }
  })

  test('[CLI-9] given the words of a command behind help, then it is its own help; of none, then the code is 2', async (t) => {
    const { run } = await createCommandLine(t)
    const [own, asked, below, nonsense] = await Promise.all([
      run('token', 'create', '--help'),
      run('help', 'token', 'create'),
      run('token', 'help', 'create'),
      run('help', 'token', 'nonsense'),
    ])
    assert.deepEqual([asked, below], [own, own])
    assert.deepEqual(nonsense, {
      code: 2,
      stdout: '',
      stderr: 'Error: Unknown command \'nonsense\'. See "meadow-server token --help".\n',
    })
  })

  test('[CLI-2] [CLI-9] given --json, when help or the version is requested, or no command is named, then that is JSON too', async (t) => {
    const { run } = await createCommandLine(t)
    const [version, help, none] = await Promise.all([
      run('--version', '--json'),
      run('team', '--help', '--json'),
      run('team', '--json'),
    ])
    assert.match(JSON.parse(version.stdout).version, /^\d/)
    assert.match(JSON.parse(help.stdout).help, /^Usage: meadow-server team /)
    assert.deepEqual([version.code, help.code], [0, 0])
    const error = 'A command is missing. See "meadow-server team --help".'
    assert.deepEqual(none, { code: 2, stdout: '', stderr: `${JSON.stringify({ error })}\n` })
  })

  test('[CLI-18] given a folder without data, when a command reads, then it says where it looked, and leaves nothing there', async (t) => {
    const { run, dataDir } = await createCommandLine(t, {}, { empty: true })
    const reading = [
      ['team', 'list'],
      ['token', 'list', '--team', 'x'],
      ['import', dataDir, '--team', 'x'],
    ]
    for (const { code, stderr } of await Promise.all(reading.map((call) => run(...call)))) {
      assert.equal(code, 1)
      assert.ok(stderr.startsWith(`Error: There is no database in "${dataDir}" yet. `), stderr)
    }
    assert.deepEqual(await readdir(dataDir), [])
  })

  test('[CLI-3] [CLI-4] given a wrong call, when it is made, then the code is 2 and one sentence says what to do', async (t) => {
    const { start } = await createCommandLine(t)
    const calls = {
      'Unknown command \'tem\' (Did you mean team?). See "meadow-server --help".': ['tem'],
      'Missing required argument \'name\'. See "meadow-server team create --help".': ['team', 'create'],
      'Unknown option \'--jsn\' (Did you mean --json?). See "meadow-server team list --help".': [
        'team',
        'list',
        '--jsn',
      ],
      'Required option \'--team <id>\' not specified. See "meadow-server import --help".': ['import', '.'],
    }
    const responses = await Promise.all(Object.values(calls).map((call) => start(...call).finished))
    const expected = Object.keys(calls).map((sentence) => ({
      code: 2,
      stdout: '',
      stderr: `Error: ${sentence}\n`,
    }))
    assert.deepEqual(responses, expected)
  })

  test('[CLI-2] [CLI-4] given --json, when a call is wrong or fails, then the error is JSON too', async (t) => {
    const { run, json } = await createCommandLine(t)
    await json('team', 'create', 'Acme')
    const [wrong, failed] = await Promise.all([
      run('--json', 'team', 'creat'),
      run('token', 'list', '--team', 'nobody', '--json'),
    ])
    assert.deepEqual({ code: wrong.code, stdout: wrong.stdout }, { code: 2, stdout: '' })
    assert.match(JSON.parse(wrong.stderr).error, /^Unknown command 'creat'/)
    assert.deepEqual({ code: failed.code, stdout: failed.stdout }, { code: 1, stdout: '' })
    assert.deepEqual(JSON.parse(failed.stderr), {
      error: 'There is no team "nobody". "meadow-server team list" shows all teams.',
    })
  })

  test('[CLI-4] given a configuration with mistakes, when a command runs, then all are reported, without values', async (t) => {
    const { run } = await createCommandLine(t, { MEADOW_PORT: 'hunter2', DATABASE_URL: 'hunter3' })
    const { code, stderr } = await run('team', 'list')
    assert.equal(code, 1)
    assert.match(stderr, /MEADOW_PORT must be/)
    assert.match(stderr, /DATABASE_URL must be/)
    assert.doesNotMatch(stderr, /hunter|\n {4}at /)
  })

  test('[CLI-4] given storage that cannot be opened, when a command runs, then a sentence says why, without a stack', async (t) => {
    const file = join(await createFolder(t, { data: '' }), 'data')
    const env = { databaseUrl: 'postgres://meadow:hunter2@127.0.0.1:1/meadow', dataDir: file }
    const [noServer, noFolder] = await Promise.all([
      createCommandLine(t, { DATABASE_URL: env.databaseUrl }).then(({ run }) => run('team', 'list')),
      createCommandLine(t, { MEADOW_DATA_DIR: env.dataDir }).then(({ run }) => run('team', 'create', 'A')),
    ])
    for (const { code, stdout, stderr } of [noServer, noFolder]) {
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
      assert.match(stderr, /^Error: \S.*\.\n$/)
      assert.doesNotMatch(stderr, /hunter2/)
    }
  })

  test('[CLI-5] given an older Node first in the path, when a command runs, then it runs on Node 24 all the same', async (t) => {
    const older = await createFolder(t, { node: '#!/bin/sh\necho "this is Node 20" >&2\nexit 1\n' })
    await chmod(join(older, 'node'), 0o755)
    const { shell } = await createCommandLine(t)
    const { code, stdout } = await shell('PATH="$1:$PATH"; meadow-server --version --json', older)
    assert.equal(code, 0)
    assert.match(JSON.parse(stdout).version, /^\d/)
  })

  test('[CLI-6] given a reader that goes away, when a command writes to it, then that is no error', async (t) => {
    const { start, json } = await createCommandLine(t)
    await json('team', 'create', 'Acme')
    const child = start('team', 'list')
    child.stopReading()
    const { code, stderr } = await child.finished
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  })

  test('[CLI-3] given a disk without room for the output, when a command writes to it, then that is an error', {
    skip: process.platform !== 'linux' && 'needs /dev/full',
  }, async (t) => {
    const { shell } = await createCommandLine(t)
    const { code, stderr } = await shell('meadow-server team create Acme > /dev/full')
    assert.equal(code, 1)
    assert.match(stderr, /The output could not be written: the disk is full\.\n$/)
  })
})
