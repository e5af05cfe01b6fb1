import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { tubes } from '../../../../apps/server/src/features/solutions/testing/graphs.ts'
import { startSolutions } from '../../../../apps/server/src/features/solutions/testing/start-solutions.ts'
import { atEnd } from '../../../../apps/server/src/testing/at-end.ts'
import { createFolder } from '../../../../apps/server/src/testing/definition-folder.ts'
import { noBrowser } from '../../../../apps/web/src/testing/browser.ts'
import { getBrowser } from '../../../../apps/web/src/testing/shared-browser.ts'

const PACKAGE = join(import.meta.dirname, '../..')
const INDEX = join(import.meta.dirname, 'index.ts')
const run = promisify(execFile)
const hasDeno = await run('deno', ['--version']).then(
  () => true,
  () => false,
)
/** The first one on the PATH that npm has not put there for this run. */
// biome-ignore lint/style/noProcessEnv: the PATH is nowhere else.
const systemNode = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find((file) => existsSync(file))
const noDeno = !hasDeno && 'there is no deno on the PATH'

/** The SDK in one file, as a page loads it. */
async function bundle() {
  const build = await rolldown({ input: INDEX, platform: 'browser' })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  return output
}

/** What every platform does with the SDK; `sdk` is its module. Sent as text, so it uses nothing from outside. */
async function exercise(sdk: typeof import('./index.ts'), baseUrl: string, token: string) {
  const cache = sdk.createMemoryCache()
  const meadow = new sdk.Meadow({ baseUrl, token, cache, retries: 0 })
  const { documents } = await meadow.searchDocuments({ q: 'tow' })
  const { id } = documents[0]!
  await meadow.readDocument(id)
  const document = await meadow.readDocument(id)
  const solution = await meadow.waitForSolution(id, { includeGeometry: true })
  const trees = sdk.treesOf(solution, document)
  const folders: string[] = []
  for await (const { path } of meadow.walk()) folders.push(path.join('/'))
  const types: string[] = []
  for await (const { type } of meadow.changedSince(undefined, { solutions: true })) types.push(type)
  const download = await meadow.download({ documentId: id, format: '.3dm' })
  const blob = await download.blob()
  const missing = await meadow.readDocument('doc_none').catch((error) => error)
  const aborted = await meadow.readTeam({ signal: AbortSignal.abort() }).catch((error) => error)
  return {
    team: (await meadow.readTeam()).name,
    feet: trees.find(({ node, port }) => node === 'Feet' && port === 'Pt')?.tree.values,
    includesGeometry: solution.includesGeometry,
    folders,
    types,
    isWhole: blob.size === download.export.size,
    missing: [missing instanceof sdk.NotFound, missing.message],
    aborted: aborted.name,
  }
}

const EXPECTED = {
  team: 'Acme',
  feet: [
    [0, 0, 0],
    [1, 0, 0],
    [2, 0, 0],
  ],
  includesGeometry: true,
  folders: ['', 'Site'],
  types: ['new', 'solved'],
  isWhole: true,
  missing: [true, 'Could not find that document.'],
  aborted: 'AbortError',
}

let started: ReturnType<typeof startSolutions> | undefined

/** A team with a solved document and an empty folder: one for all tests, which only read it. */
function startTeam(t: TestContext) {
  started ??= makeTeam(t)
  return started
}

async function makeTeam(t: TestContext) {
  const server = await startSolutions(t)
  await server.solve(await server.document(tubes(), 'Tower'))
  await server.fixtures.folder(server.team, 'Site')
  return server
}

describe('platforms', () => {
  test('[SDK-60] given the SDK as one file, then it has no imports, and at most 20 KB when it is compressed', async () => {
    const output = await bundle()
    assert.equal(output.length, 1)
    const { code, imports, dynamicImports } = output[0]
    assert.deepEqual([...imports, ...dynamicImports], [])
    const { length } = gzipSync(code)
    assert.ok(length <= 20_000, `${length} bytes`)
    // A build that left something out would be small too.
    for (const name of ['Meadow', 'createMemoryCache', 'treesOf', 'SolveFailed'])
      assert.match(code, new RegExp(name))
  })

  test('[SDK-61] given Node, when the SDK is used there, then all of it works', async (t) => {
    const { address, secret } = await startTeam(t)
    assert.deepEqual(await exercise(await import('./index.ts'), address, secret), EXPECTED)
  })

  test('[SDK-61] given a browser, when a page of the same origin uses the SDK, then all of it works; a page of another origin is refused', {
    skip: noBrowser,
  }, async (t) => {
    const { address, secret } = await startTeam(t)
    const [{ code }] = await bundle()
    const page = await (await getBrowser()).newPage()
    atEnd(t, () => page.close())
    const open = async (origin: string) => {
      await page.route(`${origin}/page`, (route) =>
        route.fulfill({ body: '<title>A page</title>', contentType: 'text/html' }),
      )
      await page.route(`${origin}/sdk.js`, (route) =>
        route.fulfill({ body: code, contentType: 'text/javascript' }),
      )
      await page.goto(`${origin}/page`)
    }
    await open(address)
    const script = `import('/sdk.js').then((sdk) => (${exercise})(sdk, ${JSON.stringify(address)}, ${JSON.stringify(secret)}))`
    assert.deepEqual(await page.evaluate(script), EXPECTED)

    const other = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
    await once(other, 'listening')
    atEnd(t, () => void other.close())
    await open(`http://127.0.0.1:${(other.address() as AddressInfo).port}`)
    await assert.rejects(async () => page.evaluate(script), /ConnectionFailed/)
  })

  test('[SDK-61] given the Node of the system, which may be the oldest that is promised, when a script uses the SDK there, then all of it works', {
    skip: !systemNode && 'there is no other node on the PATH',
  }, async (t) => {
    const { address, secret } = await startTeam(t)
    const [{ code }] = await bundle()
    const script = `import * as sdk from './sdk.mjs'
console.log(JSON.stringify(await (${exercise})(sdk, ${JSON.stringify(address)}, ${JSON.stringify(secret)})))`
    const folder = await createFolder(t, { 'sdk.mjs': code, 'script.mjs': script })
    const { stdout } = await run(systemNode!, [join(folder, 'script.mjs')])
    assert.deepEqual(JSON.parse(stdout), EXPECTED)
  })

  test('[SDK-61] given Deno, when a script uses the SDK there, then all of it works', {
    skip: noDeno,
  }, async (t) => {
    const { address, secret } = await startTeam(t)
    const script = `import * as sdk from ${JSON.stringify(pathToFileURL(INDEX).href)}
const exercise = ${exercise}
console.log(JSON.stringify(await exercise(sdk, ${JSON.stringify(address)}, ${JSON.stringify(secret)})))`
    const folder = await createFolder(t, { 'script.ts': script })
    const { stdout } = await run('deno', [
      'run',
      '--no-config',
      '--no-check',
      '--allow-net',
      join(folder, 'script.ts'),
    ])
    assert.deepEqual(JSON.parse(stdout), EXPECTED)
  })

  test('[SDK-63] given the examples of the README that read the API, when they are pasted into files of their own, then each runs and prints something', async (t) => {
    const page = await readFile(join(PACKAGE, 'README.md'), 'utf8')
    const examples = [...page.split('## Live documents')[0]!.matchAll(/^```ts\n(.*?)^```/gms)].map(
      ([, code]) => code!,
    )
    assert.ok(examples.length >= 5)
    const { address, secret } = await startTeam(t)
    const folder = await createFolder(t)
    await mkdir(join(folder, 'node_modules/@meadow'), { recursive: true })
    await symlink(PACKAGE, join(folder, 'node_modules/@meadow/client'), 'junction')
    const before = process.cwd()
    process.chdir(folder)
    // biome-ignore lint/style/noProcessEnv: the examples take the token from there.
    process.env.MEADOW_TOKEN = secret
    atEnd(t, () => process.chdir(before))
    for (const [index, code] of examples.entries()) {
      const file = join(folder, `example-${index}.ts`)
      await writeFile(file, code.replaceAll('http://127.0.0.1:4000', address))
      const log = t.mock.method(console, 'log', () => {})
      await import(pathToFileURL(file).href)
      assert.ok(log.mock.callCount() > 0, code)
      log.mock.restore()
    }
  })
})
