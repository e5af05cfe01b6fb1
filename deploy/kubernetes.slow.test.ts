import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { VARIABLES } from '../apps/server/src/config/variables.ts'
import { withoutCheck } from '../checks/load.ts'
import { checkSettings, readText, readYaml } from './testing.ts'

interface Container {
  name: string
  image: string
  args: string[]
  env?: { name: string; value: string }[]
  ports?: { name: string; containerPort: number }[]
  volumeMounts: { name: string; mountPath: string }[]
  securityContext: object
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } } | undefined
}

interface Pod {
  enableServiceLinks: boolean
  terminationGracePeriodSeconds?: number
  securityContext: object
  containers: Container[]
  volumes: { name: string; secret?: { secretName: string } }[]
}

const objects = readYaml(readText('deploy/kubernetes/meadow.yaml'))
const [secret] = readYaml(readText('deploy/kubernetes/secret.example.yaml'))
const findAll = (kind: string) => objects.filter((object) => object.kind === kind)
const deployments = findAll('Deployment')
const pods: [string, Pod][] = [
  ...deployments.map(({ metadata, spec }): [string, Pod] => [metadata.name, spec.template.spec]),
  ...findAll('CronJob').map(({ metadata, spec }): [string, Pod] => [
    metadata.name,
    spec.jobTemplate.spec.template.spec,
  ]),
]

test('[OPS-3] given the manifests, then each is an object of the API of Kubernetes, without unknown fields', {
  skip: withoutCheck('kubernetes-models'),
}, async (t) => {
  // Where the package is found.
  const folder = await mkdtemp(join(import.meta.dirname, '../checks/node_modules/.manifests-'))
  t.after(() => rm(folder, { recursive: true }))
  const lines = [...objects, secret].map(
    ({ apiVersion, ...object }, index) =>
      `import type { I${object.kind} as T${index} } from 'kubernetes-models/${apiVersion}'\n` +
      `export const o${index}: T${index} = ${JSON.stringify({ apiVersion, ...object })}\n`,
  )
  const file = join(folder, 'manifests.ts')
  const check = async (text: string) => {
    await writeFile(file, text)
    const options =
      '--ignoreConfig --noEmit --strict --skipLibCheck --target es2023 --module nodenext --types'
    const compiler = join(import.meta.dirname, '../node_modules/@typescript/native/bin/tsc')
    return spawnSync(process.execPath, [compiler, ...options.split(' '), '', file], { encoding: 'utf8' })
      .stdout
  }
  assert.equal(await check(lines.join('')), '')
  assert.match(await check(lines.join('').replace('"containers"', '"container"')), /container/)
})

/** What a container gets as its environment: a secret as the text of its file. */
function readEnvironment({ env = [], volumeMounts }: Container): Record<string, string> {
  const { data } = findAll('ConfigMap')[0]
  const all = { ...data, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) }
  const { mountPath } = volumeMounts.find(({ name }) => name === 'secrets')!
  return Object.fromEntries(
    Object.entries(all as Record<string, string>).map(([name, value]) => {
      if (!name.endsWith('_FILE')) return [name, value]
      const key = value.slice(mountPath.length + 1)
      assert.ok(value.startsWith(`${mountPath}/`) && key in secret.stringData, `${name}: ${value}`)
      const text = secret.stringData[key].replace('CHANGE-ME', 'c'.repeat(32))
      return [name.replace(/_FILE$/, ''), text]
    }),
  )
}

test('[OPS-3] given the containers, then Meadow accepts their settings, and they have as long to stop as it takes', () => {
  for (const [name, pod] of pods) {
    assert.equal(pod.enableServiceLinks, false, name)
    for (const container of pod.containers) {
      const env = readEnvironment(container)
      checkSettings(env, Object.keys(VARIABLES))
      if (pod.terminationGracePeriodSeconds === undefined) continue
      const { MEADOW_STOP_GRACE_SECONDS: grace = VARIABLES.MEADOW_STOP_GRACE_SECONDS.default } = env
      assert.ok(pod.terminationGracePeriodSeconds > Number(grace), name)
    }
  }
})

test('[OPS-3] given the pods, then they have the restricted security context, and their probes, volumes and secrets are there', () => {
  for (const [name, pod] of pods) {
    assert.deepEqual(
      pod.securityContext,
      {
        runAsNonRoot: true,
        runAsUser: 10001,
        runAsGroup: 10001,
        fsGroup: 10001,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      name,
    )
    const volumes = pod.volumes.map((volume) => volume.name)
    for (const container of pod.containers) {
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      for (const mount of container.volumeMounts) assert.ok(volumes.includes(mount.name), name)
      assert.match(container.image, /^[\w./-]+:[\w.-]+$/)
      const ports = container.ports?.map((port) => port.name) ?? []
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
        const { httpGet } = container[probe] ?? {}
        if (name === 'meadow-backup') continue
        assert.ok(ports.includes(httpGet!.port), `${name} ${probe}`)
        assert.equal(httpGet!.path, probe === 'readinessProbe' ? '/readyz' : '/healthz')
      }
      const { MEADOW_METRICS_PORT, MEADOW_PORT = VARIABLES.MEADOW_PORT.default } = readEnvironment(container)
      for (const port of container.ports ?? [])
        assert.equal(String(port.containerPort), port.name === 'http' ? MEADOW_PORT : MEADOW_METRICS_PORT)
    }
    for (const { secret: named } of pod.volumes)
      if (named) assert.equal(named.secretName, secret.metadata.name)
  }
})

test('[OPS-3] given what selects pods, then it selects those of a deployment, and the way from outside leads to the servers', () => {
  const labels = deployments.map(({ spec }) => spec.template.metadata.labels as Record<string, string>)
  for (const { metadata, spec } of [
    ...deployments,
    ...findAll('PodDisruptionBudget'),
    ...findAll('NetworkPolicy'),
  ]) {
    const { matchLabels } = spec.selector ?? spec.podSelector
    const selected = labels.filter((one) =>
      Object.entries(matchLabels).every(([key, value]) => one[key] === value),
    )
    assert.ok(selected.length > 0, metadata.name)
  }
  const [service] = findAll('Service')
  assert.equal(service.spec.selector['app.kubernetes.io/component'], 'serve')
  const [ingress] = findAll('Ingress')
  const { backend } = ingress.spec.rules[0].http.paths[0]
  assert.equal(backend.service.name, service.metadata.name)
  assert.ok(service.spec.ports.some(({ name }: { name: string }) => name === backend.service.port.name))
  for (const { metadata, kind } of objects)
    assert.equal(metadata.namespace, kind === 'Namespace' ? undefined : 'meadow', `${kind} ${metadata.name}`)
})
