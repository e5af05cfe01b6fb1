import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createQuickFolder } from '@meadow/server/src/testing/quick-folder.ts'
import { startPostgres, TEMPLATE } from '@meadow/server/src/testing/test-postgres.ts'
import pg from 'pg'

export const DATABASE_NAMES = ['sqlite', 'postgres'] as const
export type DatabaseName = (typeof DATABASE_NAMES)[number]

/** Where a service keeps everything. Its address is the same for every fault. */
export interface Place {
  /** A folder with `data/`, and what an operation adds. */
  readonly folder: string
  readonly databaseUrl: string | undefined
  /** The environment of servers and commands. */
  readonly env: Record<string, string>
}

/** One place, and the contents that it begins with. */
export interface Places extends AsyncDisposable {
  readonly place: Place
  /** Makes the database and `data/` empty. */
  clear(): Promise<void>
  /** Keeps what the place contains now. */
  keep(): Promise<void>
  /** Gives the place what was kept. */
  reset(): Promise<void>
}

const SECRET = 'a secret for faults, of thirty-two letters'
const [USED, KEPT] = ['faults_used', 'faults_kept']

/** `postgresUrl`: a PostgreSQL that runs; undefined for a new one. */
export async function openPlaces(database: DatabaseName, postgresUrl?: string): Promise<Places> {
  await using opened = new AsyncDisposableStack()
  const root = await createQuickFolder('meadow-faults-')
  opened.defer(() => rm(root, { recursive: true, force: true, maxRetries: 10 }))
  const [folder, kept] = [join(root, 'used'), join(root, 'kept')]
  const postgres = database === 'postgres' ? await openPostgres(opened, postgresUrl) : undefined

  async function replace(from: string, to: string, template: string, name: string): Promise<void> {
    await rm(to, { recursive: true, force: true, maxRetries: 10 })
    await cp(from, to, { recursive: true, preserveTimestamps: true })
    await postgres?.copy(template, name)
  }

  const rest = opened.move()
  return {
    place: {
      folder,
      databaseUrl: postgres && `${postgres.url}/${USED}`,
      env: {
        MEADOW_DATA_DIR: join(folder, 'data'),
        MEADOW_SESSION_SECRET: SECRET,
        MEADOW_WEBHOOKS_ALLOW: '127.0.0.1',
        MEADOW_STOP_NOTICE_SECONDS: '0',
        MEADOW_JOB_PROCESSES: 'definitions=1',
        MEADOW_PORT: '0',
        ...(postgres && { DATABASE_URL: `${postgres.url}/${USED}` }),
      },
    },
    async clear() {
      await rm(join(folder, 'data'), { recursive: true, force: true, maxRetries: 10 })
      await mkdir(join(folder, 'data'), { recursive: true, mode: 0o700 })
      await postgres?.copy(TEMPLATE, USED)
    },
    keep: () => replace(folder, kept, USED, KEPT),
    reset: () => replace(kept, folder, KEPT, USED),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  }
}

async function openPostgres(opened: AsyncDisposableStack, running: string | undefined) {
  const url = running ?? opened.use(await startPostgres()).url
  const admin = new pg.Client(`${url}/postgres`)
  await admin.connect()
  opened.defer(async () => {
    for (const name of [USED, KEPT]) await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  })
  return {
    url,
    async copy(template: string, name: string): Promise<void> {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        template,
      ])
      await admin.query(`create database ${name} template ${template} strategy file_copy`)
    },
  }
}
