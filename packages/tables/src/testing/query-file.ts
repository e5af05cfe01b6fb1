import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from '../../../../checks/load.ts'

/**
 * What DuckDB, which shares no code with this package, answers to a query about a file; `FILE` stands for it in the
 * query.
 */
export async function queryFile(
  name: string,
  content: Uint8Array | string,
  query: string,
): Promise<Record<string, unknown>[]> {
  const { DuckDBInstance } = await load('@duckdb/node-api')
  const folder = await mkdtemp(join(tmpdir(), 'meadow-tables-'))
  const path = join(folder, name)
  try {
    await writeFile(path, content)
    const database = await DuckDBInstance.create(':memory:')
    const connection = await database.connect()
    const result = await connection.runAndReadAll(query.replaceAll('FILE', `'${path}'`))
    connection.closeSync()
    database.closeSync()
    return result.getRowObjectsJS()
  } finally {
    await rm(folder, { recursive: true })
  }
}
