import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildTeam } from './synthetic-team.ts'

// node build-team.ts FOLDER DOCUMENTS: fills FOLDER/data and tells in FOLDER/team.json what is there.
// Runs as a process of its own, so that a million documents leave nothing behind in the one that measures.
const [folder, documents] = [process.argv[2]!, Number(process.argv[3])]
const tellEvery = 100_000
let toldAt = 0
const team = await buildTeam(
  { dataDir: join(folder, 'data'), databaseUrl: process.env.DATABASE_URL },
  documents,
  (done) => {
    if (done < toldAt + tellEvery) return
    toldAt = done
    process.stderr.write(`  ${done} of ${documents} documents\n`)
  },
)
const unfinished = join(folder, 'team.json.unfinished')
await writeFile(unfinished, JSON.stringify(team))
await rename(unfinished, join(folder, 'team.json'))
