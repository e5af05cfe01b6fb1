import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import pg from 'pg'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { until } from '../../testing/until.ts'
import { explainListenFailure, toSentence, wantsQuiet } from './serve.ts'

test('[CLI-4] given an address that cannot be listened on, when the server starts, then a sentence says what to set', {
  skip: noLauncher,
}, async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const cases: [Record<string, string>, string][] = [
    [
      { MEADOW_PORT: String(port) },
      `Port ${port} is in use. Set MEADOW_PORT to another one, or stop what listens there.`,
    ],
    [
      // Kept for documentation: no machine has it.
      { MEADOW_HOST: '192.0.2.1', MEADOW_PORT: '0' },
      'This machine does not have the address "192.0.2.1". Set MEADOW_HOST to one that it has, or to 0.0.0.0 for all.',
    ],
    [
      { MEADOW_PORT: '0', MEADOW_METRICS_PORT: String(port) },
      `Port ${port} is in use. Set MEADOW_METRICS_PORT to another one, or stop what listens there.`,
    ],
    [
      { MEADOW_PORT: '0', MEADOW_METRICS_PORT: '0', MEADOW_METRICS_HOST: '192.0.2.1' },
      'This machine does not have the address "192.0.2.1". Set MEADOW_METRICS_HOST to one that it has, or to 0.0.0.0 for all.',
    ],
    [
      { MEADOW_METRICS_HOST: '127.0.0.1' },
      'The configuration is not usable.\nMEADOW_METRICS_PORT must be set, since MEADOW_METRICS_HOST is.',
    ],
  ]
  for (const [env, sentence] of cases) {
    const { start } = await createCommandLine(t, env)
    const { code, stderr } = await start('serve', '--json').finished
    // Lines of the log come before it.
    const last = stderr.trim().split('\n').at(-1)!
    assert.deepEqual({ code, error: JSON.parse(last).error }, { code: 1, error: sentence })
  }
})

test('[CLI-4] given a port below 1024 and a user who may not, then a sentence states it; and not of a file that may not be opened', () => {
  const failure = (syscall: string) => Object.assign(new Error(syscall), { code: 'EACCES', syscall })
  const address = { host: '127.0.0.1', port: 80 }
  assert.match(String(explainListenFailure(failure('listen'), address)), /may not listen on port 80/)
  const other = failure('open')
  assert.equal(explainListenFailure(other, address), other)
})

test('[CLI-28] given the demo on a terminal, then only warnings are logged, as sentences; given a level, a pipe, or no demo, then as configured', () => {
  const terminal = { isTTY: true }
  assert.equal(wantsQuiet({ demo: true }, {}, terminal), true)
  assert.equal(wantsQuiet({ demo: true }, { MEADOW_LOG_LEVEL: 'info' }, terminal), false)
  assert.equal(wantsQuiet({ demo: true }, {}, {}), false)
  assert.equal(wantsQuiet({}, {}, terminal), false)
  const line = (facts: object) => `${JSON.stringify({ level: 'warn', time: 'now', ...facts })}\n`
  assert.equal(toSentence(line({ msg: 'A host is taken.' })), '! A host is taken.\n')
  assert.equal(
    toSentence(line({ err: { type: 'Error', message: 'no\u001b[2J', stack: 'x' }, msg: 'request failed' })),
    '! request failed: no\\u{1b}[2J\n',
  )
})

const postgres = DATABASES.find(({ name }) => name === 'postgres')!

/** What `registerProcess` locks. */
const REGISTRATION = 612_743_002

/** The first connection is lost that records in the audit log that the command runs, which is after the server listens. */
const LOSE_FIRST_RECORD = `
  create sequence records;
  create function lose_first() returns trigger language plpgsql as $$
  begin
    if nextval('records') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
    return new;
  end $$;
  create trigger lose_first before insert on audit_event
    for each row when (new.action = 'command.run') execute function lose_first()`

test('[CLI-43] given a server that starts, when its connections are lost, then it starts nevertheless', {
  skip: noLauncher || postgres.options.skip,
}, async (t) => {
  const { databaseUrl } = await postgres.createLocation(t)
  const admin = new pg.Client(databaseUrl)
  await admin.connect()
  atEnd(t, () => admin.end())
  // Without a notice: a service that listened already is stopped, and started again.
  const { start } = await createCommandLine(t, {
    DATABASE_URL: databaseUrl!,
    MEADOW_PORT: '0',
    MEADOW_STOP_NOTICE_SECONDS: '0',
  })
  await admin.query(LOSE_FIRST_RECORD)
  await admin.query('select pg_advisory_lock($1)', [REGISTRATION])
  const server = start('serve')
  const findWaiting = async () => {
    const { rows } = await admin.query(
      `select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
    )
    return rows.length > 0
  }
  await Promise.race([until('it registers', findWaiting), server.finished])
  const { rowCount } = await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'meadow%'`,
  )
  assert.ok(rowCount! > 0)
  await admin.query('select pg_advisory_unlock($1)', [REGISTRATION])
  await server.wrote('stdout', 'http://127.0.0.1:')
  const { rows } = await admin.query('select last_value::int as records from records')
  assert.deepEqual(rows, [{ records: 2 }])
})

test('[CLI-43] given a database that cannot be reached, when a server starts, then it ends at once with a sentence', async (t) => {
  const { run } = await createCommandLine(t, { DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  const { code, stderr } = await run('serve')
  assert.equal(code, 1)
  assert.match(stderr, /Cannot open the PostgreSQL database at 127\.0\.0\.1:1/)
})
