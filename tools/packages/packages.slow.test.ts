import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Demo, startDemo } from '../../apps/web/src/testing/start-demo.ts'
import { load, withoutCheck } from '../../checks/load.ts'
import { Meadow } from '../../packages/client/src/api/index.ts'
import { createTower } from '../../packages/grasshopper/src/testing/readme-tower.ts'
import { buildPackages, pack } from './build-packages.ts'
import { listUnpublished, publish } from './publish-packages.ts'
import {
  type BuiltPackage,
  listFiles,
  listImports,
  listReached,
  readImported,
  readPackage,
  toPackageName,
} from './testing/package-files.ts'
import { END_OF_EXAMPLE, listExamples, RUN_EXAMPLES } from './testing/readme-examples.ts'
import { addInstalled, startRegistry, type TestRegistry } from './testing/registry.ts'
import {
  createUserSystem,
  findSystemNode,
  install,
  installAlone,
  type Ran,
  run,
  type UserSystem,
} from './testing/user-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The largest download of each package, in kB: a tenth to a fifth more than today. */
const MAX_KB: Record<string, number> = {
  '@meadow/check': 85,
  '@meadow/cli': 580,
  '@meadow/client': 125,
  '@meadow/command': 46,
  '@meadow/conformance': 80,
  '@meadow/contract': 265,
  '@meadow/diff': 100,
  '@meadow/document': 320,
  '@meadow/drawing': 100,
  '@meadow/geometry': 530,
  '@meadow/gltf': 60,
  '@meadow/grasshopper': 365,
  '@meadow/inflate': 10,
  '@meadow/mcp': 90,
  '@meadow/model': 190,
  '@meadow/passwords': 10,
  '@meadow/processes': 28,
  '@meadow/solver': 620,
  '@meadow/tables': 40,
}

/** Entry points that browsers load, through a bundler. */
const FOR_BROWSERS = [
  '@meadow/client',
  '@meadow/client/endpoints',
  '@meadow/client/live',
  '@meadow/contract',
  '@meadow/contract/examples',
  '@meadow/contract/terms',
  '@meadow/contract/web',
  '@meadow/contract/web/terms',
  '@meadow/diff',
  '@meadow/document',
  '@meadow/document/live',
  '@meadow/drawing',
  '@meadow/drawing/scene',
  '@meadow/geometry/*',
  '@meadow/gltf',
  '@meadow/inflate',
  '@meadow/model/decode',
  '@meadow/passwords',
  '@meadow/solver',
  '@meadow/tables',
]

const USER_OPTIONS = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable', 'esnext.disposable'],
  types: ['node'],
  strict: true,
  noEmit: true,
}

/** Imports what it is given, from the folder in which it is, and returns what came of it. */
const IMPORTER = `
export async function importAll(specifiers) {
  const results = {}
  for (const specifier of specifiers) {
    try {
      results[specifier] = { exports: Object.keys(await import(specifier)).length }
    } catch (error) {
      results[specifier] = { code: error.code, message: error.message }
    }
  }
  return results
}
`

/** Runs the importer of each folder that its argument names, and prints the results. */
const RUN_IMPORTERS = `
const results = {}
for (const [importer, specifiers] of JSON.parse(process.argv[1]))
  Object.assign(results, await (await import(importer)).importAll(specifiers))
console.log(JSON.stringify(results))
`

type Imported = Record<string, { exports?: number; code?: string; message?: string }>

let folder: string
let registry: TestRegistry
let system: UserSystem
let packages: BuiltPackage[]
/** A user's folder in which the tarballs of all packages are installed, also what is optional. */
let everything: string
/** User's folders by the package that is installed there alone, from the registry. */
let alone: Map<string, string>
/** A user's folder in which the built command is linked. */
let linked: string
/** The folders of the packages that the interrupted release had not published. */
let missing: string[]

/** Starts while the packages are installed. */
let service: ReturnType<typeof startReadersService>

/** The Nodes that packages are used with: the system's, and the one that runs this. */
const systemNode = findSystemNode()
const nodes = [...(systemNode ? [systemNode] : []), process.execPath]

describe('published packages', () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'meadow-published-'))
    // As in a clone: the sources of the packages are in node_modules of a folder above.
    const target = join(folder, 'clone/dist/packages')
    const built = buildPackages(target, 'https://git.example.org/meadow')
    symlinkSync(join(root, 'node_modules'), join(folder, 'clone/node_modules'), 'junction')
    packages = built.map(readPackage)
    service = startReadersService()
    registry = await startRegistry()
    system = createUserSystem(folder, registry.address)
    const libraries = packages
      .flatMap(({ manifest }) => Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
      .filter((name) => !name.startsWith('@meadow/'))
    addInstalled(registry, new Set([...libraries, '@types/node']), root)
    const peers = libraries.filter((name) =>
      packages.some(({ manifest }) => name in (manifest.peerDependencies ?? {})),
    )

    // Nobody has published anything yet.
    const tarballs = pack(built, join(folder, 'clone/dist/tarballs'))
    everything = await install(system, 'everything', [...tarballs, ...new Set(peers), '@types/node'])
    linked = await install(system, 'linked', [join(target, 'cli')])

    // An interrupted release: all packages but two are there already.
    for (const { manifest } of packages.slice(2))
      registry.add(manifest, readFileSync(tarballs.find((file) => basename(file) === toFileName(manifest))!))
    missing = await listUnpublished(built, registry.address)
    await publish(target, missing, {
      registry: registry.address,
      provenance: false,
      env: system.env,
      output: 'ignore',
    })
    alone = await installAlone(
      system,
      packages.map(({ manifest }) => manifest),
    )
  })

  after(async () => {
    await registry?.close()
    await (await service).demo.stop()
    if (folder) rmSync(folder, { recursive: true })
  })

  test('[PKG-8] given an interrupted release, when it is run again, then each package that the registry lacks is published once', async () => {
    const lacking = packages.slice(0, 2)
    assert.deepEqual(
      missing,
      lacking.map((one) => one.folder),
    )
    assert.deepEqual(
      registry.published.toSorted(),
      lacking.map(({ manifest }) => `${manifest.name}@${manifest.version}`).sort(),
    )
    const folders = packages.map((one) => one.folder)
    assert.deepEqual(await listUnpublished(folders, registry.address), [])
  })

  test('[PKG-1] given an empty folder, when a package is installed there alone, then every entry point that needs no peer is imported', async (t) => {
    if (!systemNode) t.diagnostic('There is no Node beside the one that runs the tests.')
    // Under the oldest Node: npm refuses packages that are not for it.
    const imported = await importAll(
      nodes[0]!,
      packages.map((one) => [alone.get(one.manifest.name)!, [one]]),
    )
    for (const one of packages) {
      const { peerDependenciesMeta = {} } = one.manifest
      for (const [specifier] of listImports(one)) {
        const { exports, code, message } = imported[specifier]!
        if (exports !== undefined) continue
        const missing = /^Cannot find package '([^']+)'/.exec(message!)?.[1]
        assert.equal(code, 'ERR_MODULE_NOT_FOUND', `${specifier}: ${message}`)
        assert.ok(
          missing && peerDependenciesMeta[toPackageName(missing)]?.optional,
          `${specifier}: ${message}`,
        )
      }
    }
  })

  test('[PKG-1] given all packages and their peers, when each entry point is imported, then it exports something', async () => {
    const files = new Map(
      packages.flatMap((one) => listImports(one).map(([name, file]) => [name, join(one.folder, file)])),
    )
    const hasTypes = (specifier: string): boolean =>
      /^export (interface|type) /m.test(readFileSync(files.get(specifier)!.replace(/\.js$/, '.d.ts'), 'utf8'))
    for (const node of nodes) {
      for (const [specifier, { exports, message }] of Object.entries(
        await importAll(node, [[everything, packages]]),
      )) {
        const isFilled = exports === 0 ? hasTypes(specifier) : exports !== undefined
        assert.ok(isFilled, `${specifier} with ${node}: ${message ?? 'exports nothing'}`)
      }
    }
  })

  test('[PKG-11] given a program that reads the API, when it installs the client, then no other package comes with it', () => {
    const installed = join(alone.get('@meadow/client')!, 'node_modules')
    assert.deepEqual(
      readdirSync(installed).filter((name) => name !== '.package-lock.json'),
      ['@meadow'],
    )
    assert.deepEqual(readdirSync(join(installed, '@meadow')), ['client'])
    assert.ok(!existsSync(join(installed, '@meadow/client/node_modules')))
  })

  test('[PKG-2] given a package, when its files import another one, then the package says so', () => {
    for (const { folder, manifest } of packages) {
      const known = [
        manifest.name,
        ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
      ]
      for (const file of listFiles(folder).filter((name) => /^dist\/.*\.(js|d\.ts)$/.test(name))) {
        for (const specifier of readImported(join(folder, file))) {
          if (specifier.startsWith('node:')) continue
          if (specifier.startsWith('.')) {
            assert.ok(
              existsSync(join(folder, dirname(file), specifier)),
              `${manifest.name} ${file}: ${specifier}`,
            )
          } else assert.ok(known.includes(toPackageName(specifier)), `${manifest.name} ${file}: ${specifier}`)
        }
      }
    }
  })

  test('[PKG-3] given an installed package, then it has its pages, its types, and the sources of its maps, and no tests', () => {
    for (const { manifest } of packages) {
      const installed = join(everything, 'node_modules', manifest.name)
      const files = listFiles(installed)
      for (const page of ['LICENSE', 'README.md'])
        assert.ok(existsSync(join(installed, page)), `${manifest.name} ${page}`)
      assert.deepEqual(
        files.filter((file) => /\.test\.|(^|\/)testing\//.test(file)),
        [],
      )
      const scripts = files.filter((file) => /^dist\/.*\.js$/.test(file))
      assert.ok(scripts.length > 0, manifest.name)
      for (const script of scripts) {
        for (const file of [script, script.replace(/\.js$/, '.d.ts')]) {
          assert.match(readFileSync(join(installed, file), 'utf8'), /^\/\/# sourceMappingURL=.+\.map$/m, file)
          const { sources } = JSON.parse(readFileSync(join(installed, `${file}.map`), 'utf8'))
          assert.equal(sources.length, 1)
          assert.ok(
            existsSync(join(installed, dirname(file), sources[0])),
            `${manifest.name} ${file}: ${sources}`,
          )
        }
      }
    }
  })

  test('[PKG-3] given a stack trace, when Node reads the source maps, then it names the line of the source', async () => {
    const program = `import { solve } from '@meadow/solver'
      try { solve({ nodes: { a: null } }) } catch (error) { console.log(error.stack) }`
    const { stdout } = await run(
      process.execPath,
      ['--enable-source-maps', '--input-type=module', '--eval', program],
      everything,
      system.env,
    )
    assert.match(stdout, /node_modules[\\/]@meadow[\\/]solver[\\/]src[\\/].+\.ts:\d+:\d+/)
  })

  test('[PKG-6] given a package, then its download is below its size', (t) => {
    for (const { manifest } of packages) {
      const kilobytes = Math.ceil(registry.sizeOf(manifest.name) / 1000)
      t.diagnostic(`${manifest.name} ${kilobytes} kB`)
      assert.ok(kilobytes <= (MAX_KB[manifest.name] ?? 0), `${manifest.name} has ${kilobytes} kB`)
    }
  })

  test('[PKG-7] given a package, when publint reads it, then it finds nothing', {
    skip: withoutCheck('publint'),
  }, async () => {
    const { publint } = await load('publint')
    for (const { folder, manifest } of packages) {
      const { messages } = await publint({ pkgDir: folder, level: 'suggestion', strict: true, pack: false })
      assert.deepEqual(messages, [], manifest.name)
    }
  })

  test('[PKG-10] given an entry point for browsers, then it reaches no module of Node', () => {
    const files = new Map(
      packages.flatMap((one) => listImports(one).map(([name, file]) => [name, join(one.folder, file)])),
    )
    const names = FOR_BROWSERS.flatMap((entry) =>
      entry.endsWith('*') ? [...files.keys()].filter((name) => name.startsWith(entry.slice(0, -1))) : [entry],
    )
    assert.ok(names.length > FOR_BROWSERS.length)
    for (const name of names) {
      const reached = [...listReached(files.get(name)!, files)]
      assert.deepEqual(
        reached.filter((specifier) => specifier.startsWith('node:')),
        [],
        name,
      )
    }
  })

  test('[PKG-5] given the examples of the READMEs, when they run in a folder with the packages, then they print what they say', async () => {
    const { env } = await service
    const examples = join(everything, 'examples')
    mkdirSync(examples)
    writeFileSync(join(examples, 'tower.gh'), createTower())
    writeFileSync(join(examples, 'run.mjs'), RUN_EXAMPLES)
    const all = packages.flatMap(({ folder, manifest }) =>
      listExamples(folder).map((example, index) => ({
        ...example,
        name: `${manifest.name.slice('@meadow/'.length)}-${index + 1}`,
      })),
    )
    for (const { name, code } of all) {
      writeFileSync(join(examples, `${name}.ts`), code)
      writeFileSync(join(examples, `${name}.mjs`), stripTypeScriptTypes(code))
    }
    const { services, live, others } = Object.groupBy(all, ({ code }) => {
      if (code.includes("'SIGTERM'")) return 'services'
      // Live documents need a WebSocket.
      return code.includes("'@meadow/client/live'") ? 'live' : 'others'
    })
    const groups = [
      { node: process.execPath, group: live ?? [], stopsWhenItPrints: false },
      { node: nodes[0]!, group: others ?? [], stopsWhenItPrints: false },
      ...(services ?? []).map((one) => ({ node: nodes[0]!, group: [one], stopsWhenItPrints: true })),
    ]
    for (const { node, group, stopsWhenItPrints } of groups) {
      const args = ['run.mjs', ...group.map(({ name }) => name)]
      const ran = await run(node, args, examples, { ...system.env, ...env }, { stopsWhenItPrints })
      assert.equal(ran.code, 0, ran.stderr)
      const printed = ran.stdout.split(END_OF_EXAMPLE)
      assert.equal(printed.pop(), '')
      assert.equal(printed.length, group.length)
      for (const [index, { name, prints }] of group.entries()) {
        if (prints.length > 0)
          assert.deepEqual(printed[index]!.trimEnd().split('\n'), prints, `example ${name}`)
      }
    }
  })

  test('[PKG-12] given the installed command, when it reads the values of a document, then they are rows of CSV', async () => {
    const { env } = await service
    const command = join(everything, 'node_modules/@meadow/cli/dist/main.js')
    for (const node of nodes) {
      const ran = await run(node, [command, 'values', 'Twisted tower', '--csv'], everything, {
        ...system.env,
        ...env,
      })
      assert.deepEqual([ran.code, ran.stderr], [0, ''], node)
      const [header, ...rows] = ran.stdout.trimEnd().split('\n')
      assert.match(header!, /node_id/)
      assert.ok(rows.length > 100, `${rows.length} rows`)
    }
  })

  test('[PKG-12, PKG-15] given the installed command, when it checks definitions, then it has all that this takes', async () => {
    const definitions = join(folder, 'definitions')
    mkdirSync(definitions)
    writeFileSync(join(definitions, 'tower.gh'), createTower())
    writeFileSync(join(definitions, 'broken.gh'), 'no definition')
    const ways = [
      [alone.get('@meadow/cli')!, nodes[0]!],
      [everything, process.execPath],
      [linked, nodes[0]!],
    ] as const
    for (const [user, node] of ways) {
      // Processes and WebAssembly.
      const ran = await runCommand(node, user, ['check', '.', '--jobs', '1', '--json'], definitions)
      assert.deepEqual([ran.code, ran.stderr], [1, ''], `${user} ${node}`)
      const { files } = JSON.parse(ran.stdout) as { files: Checked[] }
      assert.deepEqual(
        files.map(({ path, status, measures }) => [path, status, measures.values]),
        [
          ['broken.gh', 'failed', undefined],
          ['tower.gh', 'ok', 1],
        ],
      )
    }
  })

  test('[PKG-15] given tarballs that are installed where no registry has them, when the command runs, then it does as documented', async () => {
    for (const user of [everything, linked]) {
      for (const node of nodes) {
        const help = await runCommand(node, user, ['--help'])
        assert.deepEqual([help.code, help.stderr], [0, ''], `${user} ${node}`)
        assert.match(help.stdout, /^Usage: meadow /)
        const text = await runCommand(node, user, ['text', 'tower.gh'], join(folder, 'definitions'))
        assert.deepEqual([text.code, text.stderr], [0, ''], `${user} ${node}`)
        assert.match(text.stdout, /^meadow-text 1\n/)
      }
    }
    const lock = JSON.parse(readFileSync(join(everything, 'package-lock.json'), 'utf8')) as Lock
    const ours = Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/@meadow/'))
    assert.equal(ours.length, packages.length)
    for (const [path, { resolved }] of ours) assert.match(resolved, /^file:.*\.tgz$/, path)
  })

  test('[PKG-4] given a program that uses every package, when it is type-checked without skipLibCheck, then it has no error', async () => {
    const imports = packages.flatMap(listImports)
    const program = imports
      .map(([specifier], index) => `import * as entry${index} from '${specifier}'\n`)
      .join('')
    const uses = imports.map((_, index) => `entry${index}`).join(', ')
    writeFileSync(join(everything, 'program.ts'), `${program}export const all = [${uses}]\n`)
    const project = join(everything, 'tsconfig.json')
    const resolveAs = (moduleResolution: string, module: string) => {
      const compilerOptions = { ...USER_OPTIONS, module, moduleResolution }
      writeFileSync(project, JSON.stringify({ compilerOptions, include: ['*.ts', 'examples/*.ts'] }))
    }
    const compile = async (...options: string[]): Promise<Ran> => {
      const tsc = join(root, 'node_modules/@typescript/native/bin/tsc')
      return run(process.execPath, [tsc, '--project', project, ...options], everything, system.env)
    }
    resolveAs('nodenext', 'nodenext')
    const checked = await compile('--checkers', '1', '--listFiles')
    assert.equal(checked.code, 0, checked.stdout)
    let reached: string[] = []
    if (!withoutCheck('typescript')) {
      const program = await readProgram(project)
      assert.deepEqual(await checkOwnFiles(program), [])
      reached = listFilesOf(program)
    }

    resolveAs('bundler', 'esnext')
    // Both reach the same files as a bundler, so that they need not check them again.
    const bundled = await compile('--listFilesOnly')
    assert.deepEqual([bundled.code, bundled.stdout], [0, checked.stdout])
    if (!withoutCheck('typescript')) assert.deepEqual(listFilesOf(await readProgram(project)), reached)
  })
})

/** Reads a user's program and all files that it reaches with TypeScript 6. */
async function readProgram(project: string) {
  const { default: ts } = await load('typescript')
  const { config } = ts.readConfigFile(project, ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(project))
  return ts.createProgram(fileNames, options)
}

const listFilesOf = (program: Awaited<ReturnType<typeof readProgram>>): string[] =>
  program
    .getSourceFiles()
    .map(({ fileName }: { fileName: string }) => fileName)
    .sort()

/**
 * What TypeScript 6 finds in a user's program and in our packages. It would take a quarter of a minute to check the
 * types of typebox, too, which TypeScript 7 does in seconds.
 */
async function checkOwnFiles(program: Awaited<ReturnType<typeof readProgram>>): Promise<string[]> {
  const { default: ts } = await load('typescript')
  const own: object[] = program
    .getSourceFiles()
    .filter(({ fileName }: { fileName: string }) => !/node_modules\/(?!@meadow\/)/.test(fileName))
  assert.ok(own.length > program.getRootFileNames().length)
  return [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()]
    .concat(
      own.flatMap((file) => [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
      ]),
    )
    .map(
      ({ file, messageText }: { file?: { fileName: string }; messageText: string }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
}

/** What `meadow check --json` says of a file. */
interface Checked {
  path: string
  status: string
  measures: { values?: number }
}

interface Lock {
  packages: Record<string, { resolved: string }>
}

/** Runs the command that is installed in a user's folder, as its link in `.bin` does, with this Node. */
const runCommand = (node: string, user: string, args: readonly string[], cwd = user) =>
  run(node, [join(user, 'node_modules/@meadow/cli/dist/main.js'), ...args], cwd, system.env)

/** A service with the demo team, and what the programs of READMEs read of their environment. */
async function startReadersService(): Promise<{ demo: Demo; env: Record<string, string> }> {
  const demo = await startDemo({ solved: ['Twisted tower', 'Branching column'] })
  const { address, email, password, token } = demo
  const signedIn = await fetch(`${address}/app/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ email, password }),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const meadow = new Meadow({ baseUrl: address, token })
  const { documents } = await meadow.searchDocuments()
  const idOf = (wanted: string) => documents.find(({ name }) => name === wanted)!.id
  const tower = idOf('Twisted tower')
  await meadow.waitForSolution(tower)
  const env = {
    MEADOW_URL: address,
    MEADOW_TOKEN: token,
    MEADOW_COOKIE: cookie,
    DOCUMENT_ID: tower,
    SMALL_DOCUMENT_ID: idOf('Branching column'),
  }
  return { demo, env }
}

/** Imports all entry points of packages, each from the user's folder where these are installed, in one process. */
async function importAll(
  node: string,
  users: readonly (readonly [folder: string, packages: readonly BuiltPackage[]])[],
): Promise<Imported> {
  const tasks = users.map(([user, installed]) => {
    const importer = join(user, 'importer.js')
    writeFileSync(importer, IMPORTER)
    return [pathToFileURL(importer), installed.flatMap(listImports).map(([specifier]) => specifier)]
  })
  const args = ['--input-type=module', '--eval', RUN_IMPORTERS, JSON.stringify(tasks)]
  const { stdout, stderr } = await run(node, args, folder, system.env)
  assert.equal(stderr, '', `with ${node}`)
  return JSON.parse(stdout) as Imported
}

/** Returns the name of the file into which npm packs a package. */
const toFileName = ({ name, version }: BuiltPackage['manifest']): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
