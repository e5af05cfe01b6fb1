import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, extname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { createGraph } from '../../../apps/server/src/testing/graph/create-graph.ts'
import { noBrowser } from '../../../apps/web/src/testing/browser.ts'
import { getBrowser } from '../../../apps/web/src/testing/shared-browser.ts'
import { toGlb } from './glb/to-glb.ts'
import { solveGraph } from './testing/solve-graph.ts'

const HERE = dirname(fileURLToPath(import.meta.url))
const RECIPES = join(HERE, '../../../docs/recipes')
const RECIPE = join(RECIPES, 'three.md')
const THREE = fileURLToPath(new URL('..', import.meta.resolve('three')))
/** What a bundle may take, compressed. */
const MAX_BYTES = 62_000

/** A wide red wall in front of the camera, and points beyond it. */
const { document, solution } = solveGraph(
  createGraph('Wall', ({ group, add, paint }) => {
    group('All', 'geometry')
    paint('Red', '#d02020ff', add('Center Box', { X: 4, Y: 4, Z: 4 }, 'Wall'))
  }),
)

/** The code of a recipe in one language. */
async function readCode(path: string, language: string): Promise<string> {
  const code = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(await readFile(path, 'utf8'))?.[1]
  assert.ok(code, `${path} has no code in ${language}`)
  return code
}

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.glb': 'model/gltf-binary' }

/** A page of a server that has these files. Errors of the page fail the test. */
async function openPage(t: TestContext, files: Readonly<Record<string, string | Uint8Array>>): Promise<Page> {
  const server = createServer(({ url = '' }, response) => {
    const body = files[url]
    const type = TYPES[extname(url)] ?? 'text/html'
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type })
    response.end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const page = await (await getBrowser()).newPage({ viewport: { width: 400, height: 300 } })
  t.after(() => page.close())
  page.on('pageerror', (error) => assert.fail(error))
  await page.route('https://cdn.jsdelivr.net/npm/three@*/**', async (route) => {
    const path = new URL(route.request().url()).pathname.replace(/^\/npm\/three@[^/]+\//, '')
    await route.fulfill({ contentType: 'text/javascript', body: await readFile(join(THREE, path)) })
  })
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return page
}

/** The recipe without a file, bundled as for a site. three.js stays outside. */
async function bundle(code: string): Promise<string> {
  const entry = {
    name: 'recipe',
    resolveId: (id: string) => (id === 'recipe' ? join(HERE, 'recipe.js') : null),
    load: (id: string) => (id === join(HERE, 'recipe.js') ? code : null),
  }
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [entry],
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: 'recipe', external: /^three/, preserveEntrySignatures: 'exports-only' },
    },
  })
  assert.ok('output' in built)
  const chunks = built.output.filter(({ type }) => type === 'chunk')
  assert.equal(chunks.length, 1)
  return built.output[0].code
}

test('[GLB-14] given the recipe for three.js, when its page is opened, then it shows the model and names what is clicked on', {
  skip: noBrowser,
}, async (t) => {
  const { bytes } = toGlb(solution, { document })
  const page = await openPage(t, { '/': await readCode(RECIPE, 'html'), '/tower.glb': bytes })
  await page.getByText('Click on something').waitFor()
  await page.mouse.click(150, 150)
  await page.getByText('Wall: box {0}[0]').waitFor()
  await page.mouse.click(5, 295)
  await page.getByText('Nothing there').waitFor()
})

test('[GLB-14] given the recipe without a file, when it is bundled, then a browser makes the same model, and the bundle is small', {
  skip: noBrowser,
}, async (t) => {
  const code = await bundle(await readCode(RECIPE, 'js'))
  const bytes = gzipSync(code).length
  assert.ok(bytes < MAX_BYTES, `${bytes} bytes`)
  const shell = `${/<script type="importmap">.*?<\/script>/s.exec(await readCode(RECIPE, 'html'))?.[0]}`
  const page = await openPage(t, { '/': shell, '/model.js': code })
  const names = await page.evaluate(
    async ([answer, script]) => {
      const path = '/model.js'
      const { createModel } = await import(path)
      const model = await createModel(answer, script)
      const { attributes } = model.children[0].children[0].children[0].geometry
      return [model.children[0].children[0].name, attributes.position.count]
    },
    [solution, document] as const,
  )
  assert.deepEqual(names, ['Wall', 24])
})

const findCommand = (name: string): string | undefined =>
  // biome-ignore lint/style/noProcessEnv: where programs are.
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

const run = promisify(execFile)

test('[GLB-14] given the recipe for Blender, when Python reads it, then it is a program', {
  skip: !findCommand('python3') && 'python3 is not installed',
}, async () => {
  const code = await readCode(join(RECIPES, 'blender.md'), 'python')
  await run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1], feature_version=(3, 10))', code])
})

/** Blender of Debian 12 comes with a numpy that is too new for it. */
const OLD_NAMES = 'import numpy; numpy.bool = bool; numpy.object = object'

test('[GLB-14] given the recipe for Blender, when it is run, then it finds the values with their ids and renders them', {
  skip: !findCommand('blender') && 'Blender is not installed',
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'meadow-blender-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'wall.glb'), toGlb(solution, { document }).bytes)
  await writeFile(join(folder, 'render.py'), await readCode(join(RECIPES, 'blender.md'), 'python'))
  const [script, ...files] = ['render.py', 'wall.glb', 'wall.blend', 'wall.png'].map((name) =>
    join(folder, name),
  )
  const program = ['--background', '--python-expr', OLD_NAMES, '--python', `${script}`, '--', ...files]
  const { stdout } = await run('blender', program)
  assert.match(stdout, /^Box \{0\}\[0\] Wall \S+ \{0\}$/m)
  assert.deepEqual((await readFile(join(folder, 'wall.png'))).subarray(1, 4).toString(), 'PNG')
  assert.ok((await stat(join(folder, 'wall.blend'))).size > 10_000)
})
