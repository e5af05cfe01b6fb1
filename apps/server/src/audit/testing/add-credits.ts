import { openDatabase } from '../../platform/database/open-database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits, findTeam } from '../../team/teams.ts'

/*
 * A process that is to be killed: gives teams credits in turn, from a number on one more each time, and prints each
 * number that was committed. Every fourth transaction is rolled back after its event was recorded.
 */

const [dataDir = '', databaseUrl = '', first, ...teamIds] = process.argv.slice(2)
const database = await openDatabase({ dataDir, ...(databaseUrl && { databaseUrl }) })

const teams = await Promise.all(teamIds.map(async (id) => (await findTeam(database.read, id))!))

const rolledBack = new Error('rolled back')
for (let count = Number(first); ; count++) {
  const { key } = teams[count % teams.length]!
  const change = changeTeam(database, key, async (team) => {
    await addCredits(team, count)
    if (count % 4 === 0) throw rolledBack
  })
  const isDone = await change.then(
    () => true,
    (error: unknown) => {
      if (error !== rolledBack) throw error
      return false
    },
  )
  if (isDone) process.stdout.write(`${count}\n`)
}
