import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
const unfinished = join(folder, 'team.json.unfinished')
await writeFile(unfinished, JSON.stringify(team))
await rename(unfinished, join(folder, 'team.json'))
