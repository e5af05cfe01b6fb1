import { loadavg } from 'node:os'
import { openFolder, reportProgress, runCommand } from '../harness/command.ts'
import { type Postgres, startPostgres } from '../harness/postgres.ts'
import { describeMachine } from '../harness/report.ts'
import { scaled } from './attacks/attack.ts'
import { HOSTILE_DOCUMENTS } from './attacks/hostile-documents.ts'
import { judge } from './judge.ts'
import { type AttackOptions, HELP, readAttackOptions } from './options.ts'
import { type JudgedAttack, printReport } from './print-attacks.ts'
import { openTestbed } from './testbed/testbed.ts'

await runCommand(HELP, readAttackOptions, async (options) => {
  const [machine, loadBefore] = [describeMachine(), loadavg()[0]!]
  const attacks = await runAttacks(options)
  const report = { machine, loadBefore, attacks }
  return {
    text: options.json ? JSON.stringify(report, null, 1) : printReport(report),
    code: attacks.some(({ misses }) => misses.length > 0) ? 1 : 0,
  }
})

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
    // Each attack has a separate server, so that it does not affect the figures of the next one.
    await using testbed = await openTestbed({ ...attack, databaseUrl, hostile })
    const figures = await testbed.run(attack, pace)
    const lostEdits = await testbed.finish()
    const misses = judge(figures, attack)
    // Lost edits are unknown when the server ended.
    if (lostEdits.length > 0 && figures.ended === undefined)
      misses.push(`${lostEdits.length} acknowledged edits were lost`)
    reportProgress(misses.length === 0 ? '  ✓' : `  ✗ ${misses.join('; ')}`)
    judged.push({ ...figures, lostEdits, misses })
  }
  return judged
}

async function openCluster(opened: AsyncDisposableStack): Promise<Postgres> {
  const folder = opened.use(await openFolder('attack-postgres'))
  return opened.use(await startPostgres(folder.path))
}
