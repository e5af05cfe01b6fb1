import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createFolder } from '../../../testing/definition-folder.ts'
import { openDatabase } from '../open-database.ts'

test('given commits of this and of another connection, then each changes the mark, and nothing else does', async (t) => {
  const dataDir = await createFolder(t)
  const database = await openDatabase({ dataDir })
  const other = new DatabaseSync(join(dataDir, 'meadow.sqlite'), { timeout: 5000 })
  try {
    const marks = [database.readCommitCounter()]
    const look = () => {
      const mark = database.readCommitCounter()
      const isNew = !marks.includes(mark)
      marks.push(mark)
      return isNew
    }
    assert.equal(look(), false)
    await database.read.selectFrom('team').selectAll().execute()
    assert.equal(look(), false)
    const insert = `insert into team (public_id, name, credit_tenths, created_at) values (?, 'x', 0, 0)`
    for (let i = 0; i < 20; i++) {
      other.prepare(insert).run(`other ${i}`)
      assert.equal(look(), true)
      assert.equal(look(), false)
      await database.transaction((write) =>
        write
          .updateTable('team')
          .set({ credit_tenths: i + 1 })
          .execute(),
      )
      assert.equal(look(), true)
    }
    other.exec('begin immediate')
    other.prepare(insert).run('undone')
    other.exec('rollback')
    assert.equal(look(), false)
    other.exec('pragma wal_checkpoint(truncate)')
    other.prepare(insert).run('after a checkpoint')
    assert.equal(look(), true)
  } finally {
    other.close()
    await database.close()
  }
})

test('given a database that is open twice, when one of them is closed, then the log that the other reads is not reset', async (t) => {
  const dataDir = await createFolder(t)
  const one = await openDatabase({ dataDir })
  const other = await openDatabase({ dataDir })
  const file = join(dataDir, 'meadow.sqlite')
  const reader = new DatabaseSync(file, { readOnly: true })
  try {
    // Holds a lock on the log until it ends.
    reader.exec('begin')
    reader.prepare('select count(*) from team').get()
    await one.close()
    // Locks of one process do not hold against itself.
    const checkpoint = `
      const { DatabaseSync } = require('node:sqlite')
      const database = new DatabaseSync(${JSON.stringify(file)})
      database.exec("insert into team (public_id, name, credit_tenths, created_at) values ('x', 'x', 0, 0)")
      console.log(database.prepare('pragma wal_checkpoint(truncate)').get().busy)`
    assert.equal(execFileSync(process.execPath, ['-e', checkpoint], { encoding: 'utf8' }).trim(), '1')
  } finally {
    reader.close()
    await other.close()
  }
})
