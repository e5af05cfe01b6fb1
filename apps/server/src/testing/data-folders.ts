import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../platform/database/open-database.ts'
import { createQuickFolder } from './quick-folder.ts'

/** Passes to test processes where the SQLite file is that the whole run made. */
export const SQLITE_VARIABLE = 'MEADOW_TEST_SQLITE_FILE'

const FILE = 'meadow.sqlite'

/** The bytes of a database whose tables are up to date: making one takes a hundred times as long as copying it. */
let template: Promise<Buffer> | undefined

/** As `createQuickFolder`, with a SQLite database in it that a server has started on before. */
export async function createDataFolder(prefix: string): Promise<string> {
  template ??= readTemplate()
  const bytes = await template
  const folder = await createQuickFolder(prefix)
  await writeFile(join(folder, FILE), bytes, { mode: 0o600 })
  return folder
}

/** Makes such a database in the folder, and returns the path of its file. */
export async function makeSqliteFile(dataDir: string): Promise<string> {
  const database = await openDatabase({ dataDir })
  await database.close()
  return join(dataDir, FILE)
}

async function readTemplate(): Promise<Buffer> {
  // biome-ignore lint/style/noProcessEnv: how the run passes it to its test processes; no part of the service.
  const made = process.env[SQLITE_VARIABLE]
  if (made) return readFile(made)
  const folder = await createQuickFolder('meadow-template-')
  try {
    return await readFile(await makeSqliteFile(folder))
  } finally {
    await rm(folder, { recursive: true })
  }
}
