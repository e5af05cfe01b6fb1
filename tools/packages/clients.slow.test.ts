import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { type Demo, startDemo } from '../../apps/web/src/testing/start-demo.ts'
import { createTower } from '../../packages/grasshopper/src/testing/readme-tower.ts'
import { buildClients } from './build-clients.ts'
import { createUserSystem, findSystemNode, run, type UserSystem } from './testing/user-folder.ts'

/** A registry that refuses every connection. */
const NO_REGISTRY = 'http://127.0.0.1:1'

const isWindows = process.platform === 'win32'

/** The Nodes of users: the system's, which is the oldest, and the one that runs this. */
const nodes = [...new Set([findSystemNode() ?? process.execPath, process.execPath])]

const READ_FOLDER = `
import { Meadow } from '@meadow/client'
import { createFileCache } from '@meadow/client/node'

const cache = createFileCache('cache')
const meadow = new Meadow({ baseUrl: process.env.MEADOW_URL, token: process.env.MEADOW_TOKEN, cache })
console.log(JSON.stringify(await meadow.readFolder('root', { depth: 9 })))
`

const READ_FOLDER_IN_PYTHON = `
import json
from importlib.metadata import metadata, requires
from meadow import Meadow

with Meadow() as meadow:
    root = meadow.read_folder("root", depth=9)
about = metadata("meadow")
keys = ["Name", "Version", "Requires-Python", "Summary"]
print(json.dumps({"root": root, "about": [about[key] for key in keys], "requires": requires("meadow"), "classifiers": about.get_all("Classifier")}))
`

let folder: string
let demo: Demo
let names: string[]
let definitions: string

/** A user with an empty cache, no registry, and this Node. */
function createUser(name: string, node = nodes[0]!): UserSystem & { home: string } {
  const home = join(folder, name)
  mkdirSync(home)
  const { env, ...system } = createUserSystem(home, NO_REGISTRY)
  return {
    ...system,
    home,
    env: {
      ...env,
      PATH: [dirname(node), env.PATH].join(delimiter),
      HOME: home,
      MEADOW_URL: demo.address,
      MEADOW_TOKEN: demo.token,
      MEADOW_CONFIG_DIR: join(home, 'config'),
    },
  }
}

const addressOf = (name: string) => `${demo.address}/downloads/${name}`
const findWheel = () => names.find((name) => name.endsWith('.whl'))!

/** Sends requests to an MCP server over its stdin, one after the other, and returns the results. */
async function askMcp(user: ReturnType<typeof createUser>, requests: object[]): Promise<object[]> {
  const server = spawn('npx', ['-y', addressOf('meadow.tgz'), 'mcp'], { cwd: user.home, env: user.env })
  const results: object[] = []
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  for (const [id, request] of requests.entries()) {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`)
    const { value = '{}' } = await lines.next()
    results.push((JSON.parse(value) as { result: object }).result)
  }
  server.stdin.end()
  for await (const line of lines) assert.fail(`another line: ${line}`)
  return results
}

describe('files for clients', { skip: isWindows && 'npx is a script there' }, () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'meadow-clients-'))
    demo = await startDemo({ solved: ['Twisted tower'] })
    const response = await fetch(`${demo.address}/downloads/`, { headers: { accept: 'application/json' } })
    names = ((await response.json()) as { files: { name: string }[] }).files.map(({ name }) => name)
    definitions = join(folder, 'definitions')
    mkdirSync(definitions)
    writeFileSync(join(definitions, 'tower.gh'), createTower())
    writeFileSync(join(definitions, 'other.gh'), createTower())
  })

  after(async () => {
    await demo?.stop()
    if (folder) rmSync(folder, { recursive: true })
  })

  for (const [index, node] of nodes.entries()) {
    test(`[PKG-16] given no registry and Node ${index + 1} of ${nodes.length}, when npx runs the command from the server, then it reads the team, checks definitions and serves an agent`, async () => {
      const user = createUser(`npx-${index}`, node)
      const meadow = (...args: string[]) =>
        run('npx', ['-y', addressOf('meadow.tgz'), ...args], definitions, user.env)
      const tree = await meadow('tree')
      assert.deepEqual([tree.code, tree.stderr], [0, ''])
      assert.match(tree.stdout, /Twisted tower/)
      // Processes and WebAssembly.
      const checked = await meadow('check', '--json', 'tower.gh')
      assert.deepEqual([checked.code, checked.stderr], [0, ''])
      const [file] = (JSON.parse(checked.stdout) as { files: { status: string; measures: object }[] }).files
      assert.deepEqual([file!.status, (file!.measures as { values: number }).values], ['ok', 1])
      // jq, and the page that is beside the modules.
      const found = await meadow('api', '/documents?q=twisted', '--jq', '.documents[].name')
      assert.equal(found.stdout, 'Twisted tower\n', found.stderr)
      const compared = await meadow('diff', 'tower.gh', 'other.gh', '--html', join(user.home, 'diff.html'))
      assert.equal(compared.code, 0, compared.stderr)
      assert.match(readFileSync(join(user.home, 'diff.html'), 'utf8'), /tower\.gh → other\.gh/)
      const [initialized, listed] = await askMcp(user, [
        {
          method: 'initialize',
          params: {
            protocolVersion: '2025-06-18',
            capabilities: {},
            clientInfo: { name: 'test', version: '1' },
          },
        },
        { method: 'tools/list' },
      ])
      assert.equal((initialized as { serverInfo: { name: string } }).serverInfo.name, 'meadow')
      assert.equal((listed as { tools: object[] }).tools.length, 6)
    })
  }

  test('[PKG-16] given no registry, when npm installs the command from the server for all folders, then it runs, without another package', async () => {
    const user = createUser('global')
    const installed = await run(
      'npm',
      ['install', '--global', '--prefix', user.home, addressOf('meadow.tgz')],
      user.home,
      user.env,
    )
    assert.equal(installed.code, 0, installed.stderr)
    assert.deepEqual(readdirSync(join(user.home, 'lib/node_modules')), ['@meadow'])
    const command = join(user.home, 'bin/meadow')
    const ran = await run(command, ['text', 'tower.gh'], definitions, user.env)
    assert.match(ran.stdout, /^meadow-text 1\n/, ran.stderr)
    const git = await run(command, ['git', 'install', '--global'], definitions, user.env)
    assert.equal(git.code, 0, git.stderr)
    assert.match(readFileSync(join(user.home, '.gitconfig'), 'utf8'), /@meadow\/cli\/dist\/main\.js/)
    const licences = readFileSync(join(user.home, 'lib/node_modules/@meadow/cli/LICENSES.txt'), 'utf8')
    for (const library of ['commander', 'zod', '@modelcontextprotocol/server', 'typebox'])
      assert.match(licences, new RegExp(`^${library} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
  })

  test('[PKG-17] given no registry, when npm installs the library from the server in an empty folder, then a program reads a folder', async () => {
    const user = createUser('library')
    writeFileSync(join(user.home, 'package.json'), '{ "private": true, "type": "module" }')
    writeFileSync(join(user.home, 'read.js'), READ_FOLDER)
    const installed = await run('npm', ['install', addressOf('meadow-client.tgz')], user.home, user.env)
    assert.equal(installed.code, 0, installed.stderr)
    assert.deepEqual(readdirSync(join(user.home, 'node_modules/@meadow')), ['client'])
    const ran = await run('node', ['read.js'], user.home, user.env)
    assert.match(ran.stdout, /"name":"Twisted tower"/, ran.stderr)
  })

  test('[PKG-18] given no index, when pip installs the wheel from the server, then a program reads a folder, and pip knows what pyproject.toml says', async (t) => {
    const user = createUser('python')
    const python = join(user.home, 'venv/bin/python')
    const created = await run('python3', ['-m', 'venv', 'venv'], user.home, user.env).catch(() => undefined)
    if (created?.code !== 0) return t.skip('there is no Python with venv')
    const pip = ['-m', 'pip', 'install', '--no-index', '--disable-pip-version-check', addressOf(findWheel())]
    const installed = await run(python, pip, user.home, user.env)
    assert.equal(installed.code, 0, installed.stderr)
    const ran = await run(python, ['-c', READ_FOLDER_IN_PYTHON], user.home, user.env)
    assert.equal(ran.code, 0, ran.stderr)
    const read = JSON.parse(ran.stdout) as Record<'about' | 'requires' | 'classifiers', string[]>
    assert.match(ran.stdout, /"name": "Twisted tower"/)
    const project = readFileSync('sdks/python/pyproject.toml', 'utf8')
    const [, version] = /^meadow-(.+)-py3-none-any\.whl$/.exec(findWheel())!
    const keyOf = (key: string) => new RegExp(`^${key} = "(.*)"$`, 'm').exec(project)![1]
    assert.deepEqual(read.about, [keyOf('name'), version, keyOf('requires-python'), keyOf('description')])
    assert.deepEqual(read.requires, ['pandas>=1.5; extra == "pandas"'])
    assert.deepEqual(read.classifiers, project.match(/(?<=^ {4}").*(?=",$)/gm))
  })

  test('[PKG-19] given the files of the server, when they are built again by somebody whose files have other modes, then they have the same bytes and the digests that the server tells', async () => {
    const target = join(folder, 'again')
    const umask = process.umask(0o077)
    try {
      await buildClients(target)
    } finally {
      process.umask(umask)
    }
    assert.deepEqual(readdirSync(target).sort(), [...names].sort())
    for (const name of names) {
      const bytes = Buffer.from(await (await fetch(addressOf(name))).arrayBuffer())
      const built = readFileSync(join(target, name))
      assert.ok(bytes.equals(built), `${name} differs`)
      const digest = await (await fetch(`${addressOf(name)}.sha256`)).text()
      assert.equal(digest, `${hash('sha256', built)}  ${name}\n`)
    }
  })
})
