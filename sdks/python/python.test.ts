import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { whyNoPython } from './testing/python.ts'
import { startWorld } from './testing/start-world.ts'

/** The rules, and the classes of tests in Python that hold each. */
const RULES: Record<string, readonly string[]> = {
  '[PY-1] [PY-2] given documents of a team, when the methods of the endpoints are called, then they return what the service has':
    ['test_calls.Endpoints'],
  '[PY-3] [PY-4] given requests that fail, when they are made, then each error has its class, and shows no secret':
    ['test_calls.Errors'],
  '[PY-5] given any path below the prefix, when it is requested, then the response is returned whatever its status':
    ['test_calls.Raw'],
  '[PY-6] given addresses and tokens of all kinds, when a client is made, then what cannot be one is refused':
    ['test_calls.Settings'],
  '[PY-7] given answers that may pass and others, when a call meets them, then only those that may pass are repeated':
    ['test_faults.Retries', 'test_faults.Pauses'],
  '[PY-8] given connections that fail, when calls use them, then they are replaced, or the failure is named in time':
    ['test_faults.Connections'],
  '[PY-21] given a service that sends what no service should, when it is called, then memory, time and files are safe':
    ['test_faults.HostileServices', 'test_downloads.HostileExports'],
  '[PY-9] given certificates and proxies, when calls are made, then only trusted services and the proxies get them':
    ['test_faults.Encryption', 'test_faults.Proxies'],
  '[PY-10] given a solve that runs, when a script waits for it, then it has the solution when the solve ends':
    ['test_faults.Waits'],
  '[PY-23] given a solution, when it is read in lines, then they are the solution, or the failure is named': [
    'test_reading.Lines',
  ],
  '[PY-11] given a cache, when something is read again, then it is sent only if it has changed': [
    'test_reading.Caches',
  ],
  '[PY-12] given folders inside each other, when they are walked, then each is visited before those inside it':
    ['test_reading.Walks'],
  '[PY-13] given a state, when the team has changed, then each change is found': ['test_reading.Changes'],
  '[PY-22] given a token limited to folders, when the team is read, then what is outside is missing, and not called gone':
    ['test_reading.LimitedTokens'],
  '[PY-14] [PY-15] given a solution, when its values are read, then they are trees, rows or a data frame': [
    'test_values.Trees',
    'test_values.Solutions',
  ],
  '[PY-16] [PY-17] given a download, when connections, links and files fail, then it goes on, or leaves nothing':
    ['test_downloads.Downloads'],
  '[PY-18] given an event loop, when the same calls are awaited, then they run beside each other and can be cancelled':
    ['test_async.Surface', 'test_async.Calls'],
  '[PY-19] given the sources, when the package is built, then it has all its files and needs no other package':
    ['test_package.Sources', 'test_package.Distribution'],
  '[PY-20] given a solved document, when the examples of the documentation run, then they work': [
    'test_package.Documentation',
  ],
}

interface Result {
  /** Module, class and method. */
  test: string
  outcome: 'passed' | 'failed' | 'skipped'
  why: string
}

const RUNNER = fileURLToPath(new URL('tests/run.py', import.meta.url))
const skip = whyNoPython()

test('given a server, when the tests of the Python SDK run against it, then they hold its rules', {
  skip,
}, async (t) => {
  const { env } = await startWorld(t)
  const results = await runPython(t, env)
  const cited = Object.values(RULES).flat()
  const classes = new Set(results.map(toClass))
  assert.deepEqual(
    [...classes].sort(),
    cited.toSorted(),
    'the classes of tests that ran, and those of the rules',
  )
  for (const [rule, ofRule] of Object.entries(RULES)) {
    await t.test(rule, (t) => {
      const own = results.filter((result) => ofRule.includes(toClass(result)))
      for (const { test: name, outcome, why } of own) {
        assert.notEqual(outcome, 'failed', `${name}\n${why}`)
        if (outcome === 'skipped') t.diagnostic(`${name} was skipped: ${why}`)
      }
      assert.ok(own.some(({ outcome }) => outcome === 'passed'))
    })
  }
})

const toClass = ({ test: name }: Result): string => name.slice(0, name.lastIndexOf('.'))

/** Runs the tests in Python, with no proxy between them and their server. */
async function runPython(t: TestContext, env: Record<string, string>): Promise<Result[]> {
  // biome-ignore lint/style/noProcessEnv: Python needs the environment.
  const { http_proxy: _, HTTP_PROXY: __, ...environment } = process.env
  const python = spawn('python3', [RUNNER], {
    env: { ...environment, NO_PROXY: '*', PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => void python.kill())
  const ended = once(python, 'close')
  const results: Result[] = []
  for await (const line of createInterface({ input: python.stdout })) results.push(JSON.parse(line))
  const [code] = await ended
  assert.equal(code, 0)
  return results
}
