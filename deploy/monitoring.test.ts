import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { DATABASES } from '../apps/server/src/testing/databases.ts'
import { startServer } from '../apps/server/src/testing/start-server.ts'
import { load, withoutCheck } from '../checks/load.ts'
import { readText, readYaml } from './testing.ts'

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: Record<string, string>
}

const rules: Rule[] = readYaml(readText('deploy/prometheus/alerts.yaml'))[0].groups[0].rules
const dashboard = JSON.parse(readText('deploy/grafana/dashboards/meadow.json'))

interface Panel {
  id: number
  title: string
  type: string
  gridPos: { x: number; w: number }
  targets?: { expr: string; legendFormat: string }[]
}

const panels: Panel[] = dashboard.panels

/** All queries, with the variables of Grafana replaced. */
const queries = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      where: title,
      expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', '.*'),
    })),
  ),
]

const PROMQL = '@prometheus-io/lezer-promql'

/** The names of metrics in a query, each with the labels that it is selected or grouped by. */
async function readQuery(expr: string): Promise<{ metrics: string[]; labels: string[] }> {
  const { parser } = await load(PROMQL)
  const metrics: string[] = []
  const labels: string[] = []
  parser.parse(expr).iterate({
    enter({ type, from, to }: { type: { name: string; isError: boolean }; from: number; to: number }) {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${expr}`)
      const text = expr.slice(from, to)
      if (type.name === 'Identifier' && /^[a-z_]+$/.test(text)) metrics.push(text)
      if (type.name === 'LabelName') labels.push(text)
    },
  })
  return { metrics, labels }
}

/** Labels that Prometheus itself adds. */
const ADDED = ['job', 'instance']
/** The metric that Prometheus itself adds. */
const UP = 'up'

test('[OPS-5] given alert rules and panels, then each uses metrics and labels that a server has', {
  skip: withoutCheck(PROMQL),
}, async (t) => {
  const postgres = DATABASES[1]!
  const { databaseUrl } = await postgres.createLocation(t)
  const { request, get, service } = await startServer(t, {
    DATABASE_URL: databaseUrl!,
    MEADOW_SOLVE_WORKERS: '1',
  })
  await get('/team')
  await get('/documents', { token: null })
  await service.blobs.put(Buffer.from('measured'))
  const { text } = await request('/metrics')
  const known = new Map<string, Set<string>>()
  for (const [, name] of text.matchAll(/^# TYPE (\w+) /gm)) known.set(name!, new Set())
  for (const [, name, inner = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    const labels = [...inner.matchAll(/(\w+)="/g)].map(([, label]) => label!)
    known.set(name!, new Set([...(known.get(name!) ?? []), ...labels]))
  }
  // Nobody was solved or refused yet, so that these have no series.
  const of: Record<string, string[]> = {
    meadow_solve_duration_seconds: ['outcome'],
    meadow_limited_refusals_total: ['resource', 'level'],
  }
  const find = (metric: string) => {
    const base = metric.replace(/_(bucket|count|sum)$/, '')
    return known.get(metric) ?? (known.has(base) ? new Set(['le', ...(of[base] ?? [])]) : undefined)
  }
  for (const { where, expr } of queries) {
    const { metrics, labels } = await readQuery(expr)
    const used = metrics.filter((name) => name !== UP)
    for (const name of used) assert.ok(find(name), `${where}: there is no metric ${name}`)
    const all = new Set(used.flatMap((name) => [...find(name)!, ...(of[name] ?? [])]))
    for (const label of labels)
      assert.ok(all.has(label) || ADDED.includes(label), `${where}: ${used} has no label ${label}`)
  }
})

test('[OPS-5] given the alert rules, then each has a severity and leads to a section of the runbook', () => {
  const headings = [...readText('docs/operating.md').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  for (const { alert, labels, annotations } of rules) {
    assert.ok(['critical', 'warning'].includes(labels.severity), alert)
    const [page, section] = annotations.runbook!.split('#')
    assert.equal(page, 'docs/operating.md')
    assert.ok(headings.includes(section!), `${alert}: ${section}`)
    assert.ok(annotations.summary && annotations.description, alert)
  }
})

test('[OPS-5] given the dashboard, then its panels have ids, places and queries', () => {
  const ids = panels.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const { title, type, gridPos, targets } of panels) {
    assert.ok(title && gridPos.x + gridPos.w <= 24, title)
    assert.equal(type === 'row', targets === undefined, title)
  }
  assert.ok(panels.length > 20)
  const [{ uid }] = readYaml(readText('deploy/grafana/provisioning/datasources/prometheus.yaml'))[0]
    .datasources
  assert.equal(uid, 'prometheus')
  const compose = readText('deploy/compose.yaml')
  const { path } = readYaml(readText('deploy/grafana/provisioning/dashboards/meadow.yaml'))[0].providers[0]
    .options
  assert.ok(compose.includes(`./grafana/dashboards:${path}:ro`))
})

test('[OPS-5] given the configuration of Prometheus, then it reads the rules and the ports of the Compose file', () => {
  const [config] = readYaml(readText('deploy/prometheus/prometheus.yaml'))
  for (const file of config.rule_files) readFileSync(join(dirname('deploy/prometheus/prometheus.yaml'), file))
  const { targets } = config.scrape_configs[0].static_configs[0]
  assert.deepEqual(targets, ['serve-1:9400', 'serve-2:9400', 'work:9400'])
  assert.match(readText('deploy/compose.yaml'), /MEADOW_METRICS_PORT: "9400"/)
})

const run = promisify(execFile)
const hasPromtool = await run('promtool', ['--version']).then(
  () => true,
  () => false,
)

test('[OPS-5] given promtool, then it accepts the rules, and they fire as their tests say', {
  skip: !hasPromtool && 'promtool is not installed',
}, async () => {
  const folder = join(import.meta.dirname, 'prometheus')
  await run('promtool', ['check', 'rules', 'alerts.yaml'], { cwd: folder })
  await run('promtool', ['check', 'config', 'prometheus.yaml'], { cwd: folder })
  await run('promtool', ['test', 'rules', 'alerts.test.yaml'], { cwd: folder })
})
