import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type ExampleCall, type ExampleLanguage, writeExample } from '@meadow/contract/examples'
import { type Demo, startDemo } from './testing/start-demo.ts'

const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const README = fileURLToPath(new URL('../../../README.md', import.meta.url))
const RECIPE = fileURLToPath(new URL('../../../docs/recipes/python.md', import.meta.url))

const hasPython = ((): boolean => {
  try {
    return /Python 3\./.test(execFileSync('python3', ['--version'], { encoding: 'utf8' }))
  } catch {
    return false
  }
})()

/** How a script in a language is run; PowerShell is not part of test machines. */
const RUN: Partial<Record<ExampleLanguage, { file: string; command: string; skip: false | string }>> = {
  curl: { file: 'example.sh', command: 'sh', skip: process.platform === 'win32' && 'it needs a shell' },
  python: { file: 'example.py', command: 'python3', skip: !hasPython && 'there is no python3' },
  typescript: { file: 'example.ts', command: process.execPath, skip: false },
}
const LANGUAGES = Object.entries(RUN) as [ExampleLanguage, (typeof RUN)['curl'] & object][]

interface Outcome {
  code: number
  stdout: string
  stderr: string
  /** What it wrote into its folder. */
  files: string[]
}

/** Runs a script in a folder of its own, as someone who pasted it there. */
async function run(
  t: TestContext,
  language: ExampleLanguage,
  script: string,
  token: string,
  env: Record<string, string> = {},
): Promise<Outcome> {
  const { file, command } = RUN[language]!
  const folder = await mkdtemp(join(tmpdir(), 'meadow-example-'))
  t.after(() => rm(folder, { recursive: true }))
  // As if the packages were installed there.
  await symlink(PACKAGES, join(folder, 'node_modules'), 'junction')
  await writeFile(join(folder, file), script)
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  execFile(
    command,
    [file],
    // biome-ignore lint/style/noProcessEnv: scripts inherit the environment.
    { cwd: folder, env: { ...process.env, MEADOW_TOKEN: token, ...env }, maxBuffer: 2 ** 26 },
    async (error, stdout, stderr) => {
      const files = (await readdir(folder)).filter((name) => name !== file && name !== 'node_modules')
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr, files })
    },
  )
  return promise
}

/** The code blocks of a page in a language, one after the other. */
async function readBlocks(page: string, language: string): Promise<string> {
  const text = await readFile(page, 'utf8')
  return [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
    .filter(([, name]) => name === language)
    .map(([, , code]) => code!)
    .join('\n')
}

/** The address that `npm start` prints. */
const ADDRESS = 'http://127.0.0.1:4000'

/** What each call prints of the document. */
const PRINTED: Record<ExampleCall, RegExp> = {
  readTeam: /Atelier Meadow/,
  readFolder: /Branching column/,
  searchDocuments: /Twisted tower/i,
  readDocument: /path/,
  readSolution: /isComplete|\d+ of \d+ nodes are solved/,
  requestExport: /Truss bridge\.gh/,
  readChanges: /cursor|next time/,
}

describe('examples, run against the demo', () => {
  let demo: Demo
  let documentId: string
  before(async () => {
    demo = await startDemo({ solved: ['Truss bridge'] })
    const headers = { authorization: `Bearer ${demo.token}` }
    const found = await fetch(`${demo.address}/api/v1/documents?q=truss`, { headers })
    documentId = ((await found.json()) as { documents: { id: string }[] }).documents[0]!.id
  })
  after(() => demo?.stop())

  for (const [language, { skip }] of LANGUAGES) {
    test(`[WEB-14, WEB-77] given each endpoint, when its example in ${language} runs, then it prints what it reads`, {
      skip,
    }, async (t) => {
      for (const call of Object.keys(PRINTED) as ExampleCall[]) {
        const script = writeExample(language, { address: demo.address, calls: [call], documentId })
        const { code, stdout, stderr, files } = await run(t, language, script, demo.token)
        assert.equal(code, 0, `${call}: ${stderr}`)
        assert.match(stdout, PRINTED[call], call)
        if (call === 'requestExport' && language !== 'curl') assert.deepEqual(files, ['Truss bridge.gh'])
      }
    })

    test(`[WEB-77] given no id, when the example in ${language} runs, then it finds a document by itself`, {
      skip,
    }, async (t) => {
      const script = writeExample(language, { address: demo.address, calls: ['readDocument'] })
      const { code, stderr } = await run(t, language, script, demo.token)
      assert.equal(code, 0, stderr)
    })
  }

  test('given the recipe for Python without packages, when it runs as it is, then it reads the documents and says what is not solved', {
    skip: RUN.python!.skip,
  }, async (t) => {
    const block = await readBlocks(RECIPE, 'python')
    assert.ok(block.includes(ADDRESS), 'it has the address that `npm start` prints')
    assert.ok(
      block.startsWith(writeExample('python', { address: ADDRESS, calls: [] })),
      'it begins as all examples do',
    )
    const { code, stdout, stderr } = await run(
      t,
      'python',
      block.replaceAll(ADDRESS, demo.address),
      demo.token,
    )
    assert.equal(code, 0, stderr)
    assert.match(stdout, /Truss bridge/)
    assert.match(stdout, /has never been solved/)
  })

  for (const [fence, language] of [
    ['ts', 'typescript'],
    ['py', 'python'],
  ] as const) {
    test(`given the README, when its ${language} with the SDK runs, then it prints rows of the solution`, {
      skip: RUN[language]!.skip,
    }, async (t) => {
      const block = (await readBlocks(README, fence))
        .replaceAll(ADDRESS, demo.address)
        .replaceAll('tower', 'truss')
      const { code, stdout, stderr } = await run(t, language, block, demo.token, {
        PYTHONPATH: fileURLToPath(new URL('../../../sdks/python/src', import.meta.url)),
      })
      assert.equal(code, 0, stderr)
      assert.match(stdout, /path.*index/s)
    })
  }
})

/** A server that responds with these statuses in turn, then with a solution. */
async function startBusyServer(
  t: TestContext,
  statuses: readonly number[],
): Promise<{ address: string; count(): number }> {
  let count = 0
  const server = createServer((_, response) => {
    const status = statuses[count++] ?? 200
    const body =
      status === 200
        ? { data: { solutionId: 's', n: {} }, completeness: { solved: 2, nodes: 3 } }
        : { error: `Sentence ${status}.` }
    response.writeHead(status, { 'retry-after': '0' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => count }
}

for (const language of ['python', 'typescript'] as const) {
  const { skip } = RUN[language]!
  const example = (address: string) =>
    writeExample(language, { address, calls: ['readSolution'], documentId: 'd' })

  test(`[WEB-77] given a busy service and a solve that runs, when the example in ${language} runs, then it waits for the solution`, {
    skip,
  }, async (t) => {
    const { address, count } = await startBusyServer(t, [429, 202, 503, 202])
    const { code, stdout, stderr } = await run(t, language, example(address), 'mdw_x')
    assert.deepEqual([code, stderr, count()], [0, '', 5])
    assert.match(stdout, /2 of 3 nodes are solved/)
  })

  test(`[WEB-77] given a document that was never solved, or whose solve failed, when the example in ${language} runs, then it ends with the sentence`, {
    skip,
  }, async (t) => {
    for (const status of [409, 502, 401]) {
      const { address, count } = await startBusyServer(t, [status])
      const { code, stderr } = await run(t, language, example(address), 'mdw_x')
      assert.deepEqual([code, count()], [1, 1])
      assert.match(stderr, new RegExp(`Sentence ${status}\\.`))
    }
  })
}
