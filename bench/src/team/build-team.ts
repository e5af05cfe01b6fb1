import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { buildTeam } from './synthetic-team.ts'

// node build-team.ts FOLDER DOCUMENTS: creates the team in FOLDER/data, and describes it in FOLDER/team.json.
// A separate process, so that creating a million documents does not affect the process that measures.
const [folder, documents] = [process.argv[2]!, Number(process.argv[3])]
const PROGRESS_STEP = 100_000
let reported = 0
const team = await buildTeam(
  { dataDir: join(folder, 'data'), databaseUrl: process.env.DATABASE_URL },
  documents,
  (done) => {
    if (done < reported + PROGRESS_STEP) return
    reported = done
    process.stderr.write(`  ${done} of ${documents} documents\n`)
  },
)
if (process.env.DATABASE_URL) {
  // PostgreSQL does this by itself within minutes. Until then its plans are those for tables that it knows nothing of.
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}
const unfinished = join(folder, 'team.json.unfinished')
await writeFile(unfinished, JSON.stringify(team))
await rename(unfinished, join(folder, 'team.json'))
