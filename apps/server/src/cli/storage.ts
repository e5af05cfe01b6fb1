import { join } from 'node:path'
import { type Catalogue, createCatalogue, type TeamRecord } from '../catalogue/catalogue.ts'
import type { Environment } from '../config/read-variables.ts'
import { readConfig } from '../config.ts'
import { createSolveStore, type SolveStore } from '../features/solves/solves.store.ts'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import { openDiskBlobs } from '../platform/blobs/disk.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import { CommandFailure } from './failure.ts'

/** What a command works on, beside a running server that has the same opened. */
export interface Storage extends AsyncDisposable {
  catalogue: Catalogue
  blobs: BlobStore
  solves: SolveStore
}

export async function openStorage(env: Environment): Promise<Storage> {
  const config = readConfig(env)
  const database = await openDatabase(config)
  return {
    catalogue: createCatalogue(database),
    blobs: await openDiskBlobs(join(config.dataDir, 'blobs')),
    solves: createSolveStore(database),
    [Symbol.asyncDispose]: () => database.close(),
  }
}

/** The team with this id. Fails with a sentence when there is none. */
export async function getTeam(catalogue: Catalogue, id: string): Promise<TeamRecord> {
  const team = await catalogue.findTeam(id)
  if (!team) throw new CommandFailure(`There is no team "${id}". "meadow-server team list" shows all teams.`)
  return team
}
