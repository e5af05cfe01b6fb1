import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { runCommand } from './command.ts'
import { SENTENCES } from './contract/sentences.ts'
import { type Result, runChecks } from './run-checks.ts'
import { OPTIONS, SECRETS, type Settings } from './settings.ts'
import { BREACHES_OF_ENDPOINTS } from './testing/breaches-of-endpoints.ts'
import { BREACHES_OF_RESOURCES } from './testing/breaches-of-resources.ts'
import { type Parts, startReference, tokenOf } from './testing/reference-server.ts'

const BREACHES = [...BREACHES_OF_RESOURCES, ...BREACHES_OF_ENDPOINTS]

async function start(t: TestContext, apply?: (parts: Parts) => void): Promise<Settings> {
  const { settings, close } = await startReference(apply)
  t.after(close)
  return settings
}

const idsOf = (results: readonly Result[], kind: Result['outcome']['kind']): string[] =>
  results.flatMap(({ id, outcome }) => (outcome.kind === kind ? [id] : []))

const describeFailures = (results: readonly Result[]): string =>
  JSON.stringify(
    results.filter(({ outcome }) => outcome.kind === 'failed'),
    undefined,
    2,
  )

describe('sentences', () => {
  test('[KIT-1] given the sentences, then each has an id of its own, and those that repeat others name checks', () => {
    const ids = SENTENCES.map(({ id }) => id)
    assert.deepEqual([...new Set(ids)], ids)
    const checks = SENTENCES.filter((sentence) => 'check' in sentence).map(({ id }) => id)
    for (const sentence of SENTENCES)
      if ('sameAs' in sentence)
        for (const id of sentence.sameAs) assert.ok(checks.includes(id), `${sentence.id} names ${id}`)
  })

  test('[KIT-2] given a service that does what the contract says, then every check passes', async (t) => {
    const results = await runChecks(await start(t))
    assert.deepEqual(idsOf(results, 'failed'), [], describeFailures(results))
    const unknowable = SENTENCES.filter((sentence) => 'cannot' in sentence).map(({ id }) => id)
    assert.deepEqual(idsOf(results, 'not checked'), unknowable)
  })

  test('[KIT-3] given no more than an address and a token, then nothing fails, and each check that needs more names it', async (t) => {
    const { baseUrl, token } = await start(t)
    const results = await runChecks({ baseUrl, token })
    assert.deepEqual(idsOf(results, 'failed'), [], describeFailures(results))
    const reasons = results.flatMap(({ outcome }) => (outcome.kind === 'not checked' ? [outcome.why] : []))
    const names = [...Object.values(SECRETS), ...Object.values(OPTIONS).map(([name]) => `--${name} `)]
    // A token is given, and geometry is found.
    for (const name of names.filter((one) => !/CONFORMANCE_TOKEN|with-geometry/.test(one)))
      assert.ok(
        reasons.some((why) => why.startsWith('needs ') && why.includes(name)),
        name,
      )
  })
})

describe('services that break one sentence', { concurrency: 4 }, () => {
  for (const { caughtBy, does, apply } of BREACHES) {
    test(`[KIT-4] given a service that ${does}, then ${caughtBy.join(', ')} and no other check fails`, async (t) => {
      const results = await runChecks(await start(t, apply))
      assert.deepEqual(idsOf(results, 'failed').sort(), [...caughtBy].sort(), describeFailures(results))
    })
  }

  test('[KIT-4] given the checks, then each has a service that it catches', () => {
    const caught = new Set(BREACHES.map(({ caughtBy: [first] }) => first))
    const checks = SENTENCES.filter((sentence) => 'check' in sentence).map(({ id }) => id)
    assert.deepEqual(
      checks.filter((id) => !caught.has(id)),
      [],
    )
  })
})

describe('the command', () => {
  test('[KIT-5] given a service, when it is checked, then a table, a file of JUnit, and a code; no output has a secret', async (t) => {
    const settings = await start(t, (parts) => {
      const { handle } = parts
      parts.handle = (request) => {
        const response = handle(request)
        const repeated = {
          error: `The token ${tokenOf(request.authorization)} is not\u001b[2J <valid> & "good".`,
        }
        return response.status === 404 ? { ...response, body: repeated } : response
      }
    })
    const folder = await mkdtemp(join(tmpdir(), 'meadow-conformance-'))
    t.after(() => rm(folder, { recursive: true }))
    const junit = join(folder, 'junit.xml')
    const { code, stdout, stderr } = await run(settings, '--junit', junit)
    assert.deepEqual([code, stderr], [1, ''])
    assert.match(stdout, /^passed {6}C1\.1 {3}The service/)
    assert.match(
      stdout,
      /\nfailed {6}C7\.4 .*\n {19}expected a sentence about the document\n {19}came "The token/,
    )
    assert.match(stdout, /\n\d+ passed, \d+ failed, \d+ not checked\.\n$/)
    const xml = await readFile(junit, 'utf8')
    assert.match(xml, /<testcase name="C7\.4 [^>]*"><failure message="[^>]*">came [^<]*&lt;valid&gt; &amp;/)
    assert.match(xml, /<testcase name="C1\.1 [^>]*"\/>/)
    assert.match(xml, /<testcase name="C1\.7 [^>]*"><skipped message=/)
    for (const output of [stdout, xml]) {
      assert.doesNotMatch(output, /token-\w|files\/expired/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no terminal is to obey these.
      assert.doesNotMatch(output, /[\u0000-\u0009\u000b-\u001f]/)
    }
  })

  test('[KIT-5] given a link in a form that is not expected, then no output has it', async (t) => {
    const { apply } = BREACHES.find(({ does }) => does === 'has a bare link')!
    const { code, stdout } = await run(await start(t, apply))
    assert.equal(code, 1)
    assert.match(stdout, /failed {6}C4\.8/)
    assert.doesNotMatch(stdout, /\/files\//)
  })

  test('[KIT-5] given a service that breaks nothing, then it ends with 0', async (t) => {
    const { code, stdout } = await run(await start(t))
    assert.equal(code, 0, stdout)
  })

  test('[KIT-5] given what cannot be checked, then it ends with 2 and a sentence that says what to do', async (t) => {
    const settings = await start(t)
    for (const [changed, args, says] of [
      [{ token: '' }, [], /^Set CONFORMANCE_TOKEN to a token with every scope\.\n$/],
      [
        { token: 'token-wrong' },
        [],
        /refuses the token in CONFORMANCE_TOKEN with 401: nothing can be checked/,
      ],
      [{ baseUrl: 'http://127.0.0.1:1' }, [], /^http:\/\/127\.0\.0\.1:1\/ does not answer: /],
      [{ baseUrl: 'https://me:secret@example.org' }, [], /is not an address such as/],
      [{}, ['--timeout', 'x'], /--timeout is a number of seconds/],
      [{}, ['--unknown'], /Unknown option '--unknown'/],
      [{}, ['https://example.org'], /Give one BASE_URL/],
    ] as const) {
      const { code, stdout, stderr } = await run({ ...settings, ...changed }, ...args)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, says)
    }
  })

  test('[KIT-5] given --list, then every sentence with how it is checked', async () => {
    const { code, stdout } = await run({ baseUrl: '', token: '' }, '--list')
    assert.equal(code, 0)
    assert.equal(stdout.trimEnd().split('\n').length, SENTENCES.length)
    assert.match(stdout, /^C7\.7 .* \(see C4\.28, C4\.34, C4\.35, C4\.37\)$/m)
  })

  test('[KIT-6] given a rate limit, then requests that it refuses are sent again', async (t) => {
    const refused = new Set<string>()
    const settings = await start(t, (parts) => {
      const { handle } = parts
      parts.handle = (request) => {
        const key = `${request.method} ${request.path} ${request.query}`
        if (refused.size > 20 || refused.has(key)) return handle(request)
        refused.add(key)
        return { status: 429, body: { error: 'Too many requests.' }, headers: { 'retry-after': '0' } }
      }
    })
    const results = await runChecks(settings)
    assert.deepEqual(idsOf(results, 'failed'), [], describeFailures(results))
  })
})

/** Runs the command with these settings. */
async function run(settings: Settings, ...args: string[]) {
  const output = { stdout: '', stderr: '' }
  const values = settings as object as Record<string, string | readonly string[] | undefined>
  const options = Object.entries(OPTIONS).flatMap(([setting, [name]]) =>
    values[setting] === undefined ? [] : [`--${name}`, String(values[setting])],
  )
  const code = await runCommand([...options, ...(settings.baseUrl ? [settings.baseUrl] : []), ...args], {
    env: Object.fromEntries(
      Object.entries(SECRETS).map(([setting, name]) => [name, values[setting] && String(values[setting])]),
    ) as Record<string, string>,
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
  })
  return { code, ...output }
}
