import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { load } from '../../../../checks/load.ts'
import { listModuleArguments } from '../testing/module-arguments.ts'
import { FEATURES_ON_POSTGRES_VARIABLE, WITHOUT_POSTGRES_VARIABLE } from '../testing/test-postgres.ts'

/**
 * Tests that run every write of the app API, every read of both APIs, searches, solves and exports, on real servers. A
 * feature with statements that none of them runs has its test here too.
 */
const RUN = [
  'http/app-api/team-version.test.ts',
  'http/app-api/visitors.slow.test.ts',
  'features/comments/comments.test.ts',
  'features/views/views.test.ts',
  'features/documents/documents.routes.test.ts',
  'features/exports/exports.routes.test.ts',
  'features/folders/folders.routes.test.ts',
  'features/folders/library.test.ts',
  'features/history/versions-by-token.test.ts',
  'features/library-search/library-search.routes.slow.test.ts',
  'features/mirrors/mirrors.routes.test.ts',
].map((path) => fileURLToPath(new URL(`../${path}`, import.meta.url)))

/**
 * Loaded into their processes: writes what the server, and neither a migration nor a test, runs on SQLite. What a test
 * has run first is prepared already when the server runs it.
 */
const COLLECTOR = `data:text/javascript,${encodeURIComponent(`
import { appendFileSync } from 'node:fs'
import { StatementSync } from 'node:sqlite'
Error.stackTraceLimit = 50
const known = new Set()
for (const name of ['all', 'get', 'iterate', 'run']) {
  const original = StatementSync.prototype[name]
  StatementSync.prototype[name] = function (...values) {
    const sql = this.sourceSQL
    if (!known.has(sql) && !/\\/migrat|\\.test\\.ts|\\/testing\\//.test(new Error().stack)) {
      known.add(sql)
      appendFileSync(process.env.STATEMENTS, JSON.stringify(sql) + '\\n')
    }
    return original.apply(this, values)
  }
}
`)}`

/** Those whose rows belong to a team. */
const OF_TEAMS = new Set([
  ...['team', 'folder', 'document', 'document_reference', 'document_facts', 'document_snapshot'],
  ...[
    'document_change',
    'document_client',
    'document_value',
    'document_thumbnail',
    'document_use',
    'document_graph',
  ],
  ...[
    'team_file',
    'model_object',
    'used_thing',
    'membership',
    'invitation',
    'bin_item',
    'mirror',
    'mirror_run',
  ],
  ...['credit_entry', 'token', 'token_folder', 'solve', 'export_file'],
  ...['document_version', 'version_base', 'version_source', 'version_value'],
  ...['webhook', 'webhook_delivery', 'webhook_attempt'],
  ...['comment_thread', 'comment', 'comment_mention', 'comment_read', 'comment_revision'],
  ...['named_view', 'view_revision'],
  ...['recent_document', 'favourite'],
])

/** Statements that reach rows of teams by neither a team nor a key, each with the reason why that is right. */
const EXCEPTIONS: readonly (readonly [RegExp, string])[] = [
  [/^select document_id, digest from document_value where unused_at < \?/, 'collects garbage of all teams'],
  [/^select key, digest as digest from \( select /, 'looks for blobs that no row of any team names'],
  [/^select id from team$/, 'a task that is done for each team'],
  [
    /^select count\(\*\) as count from document where document\.bin_id is null and \(document\.uses_seq/,
    'a metric',
  ],
  [
    /^select token\.id as token, .* left join team as team_of_host on team_of_host\.host = \?/,
    'finds the team of a token',
  ],
  [
    /^select document\.team_id as team, team_of_host\.id as teamOfHost from document/,
    'compares it with that of the host',
  ],
  [
    /^update token set last_used_at = \?, last_used_from = \? where public_id = \?/,
    'the token has been checked',
  ],
  [
    /^select team_id as team, name from document where public_id = \?$/,
    'names it in an event, after a check',
  ],
  [/^select name from token where public_id = \?$/, 'names it in an event, after a check'],
  [/^select public_id as id, name from token where public_id in \(\?/, 'names them in events, after checks'],
  [
    /^select document_id as document, team_id as team from document_version where document_id > \?/,
    'finds what policies do not keep, in all teams',
  ],
  [
    /^select id, public_id, name, team_id as team from document where public_until <= \?/,
    'ends what was shared, in all teams',
  ],
  [/^insert into token_reads .* from token where public_id = \?/, 'the token has been checked'],
  [/^delete from invitation where hash = \? and expires_at > \?/, 'its secret lets people into its team'],
  [/^delete from invitation where expires_at <= \?$/, 'deletes what has ended, in all teams'],
  [/folder_id in \(\s?select (folder\.)?id from folder where path >= \?/, 'a path begins with a key'],
  [
    /^(select path from folder|update folder set .*) where (bin_id is null and )?path >= \?/,
    'a path begins with a key',
  ],
  [/^select opened_at from recent_document where user_id = \?/, 'what a person opened, in all their teams'],
  [/^select count\(\*\) as count from favourite where user_id = \?/, 'the limit is of a person'],
  [/^insert into document \(id, /, 'the next key is above those of all teams'],
]

/** On one line, without quotes. */
const normalize = (sql: string) => sql.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim()

type Tree = Record<string, unknown>

/** Every node of a kind in the tree of a statement. */
function* find(tree: unknown, kind: string): Generator<Tree> {
  if (typeof tree !== 'object' || tree === null) return
  for (const [name, value] of Object.entries(tree)) {
    if (name === kind) yield value as Tree
    yield* find(value, kind)
  }
}

/** The columns that are compared with something, such as `document.team_id`. */
function listCompared(tree: unknown): string[][] {
  const sides = [...find(tree, 'A_Expr')].flatMap(({ kind, name, lexpr, rexpr }) =>
    kind === 'AEXPR_IN' || textsOf(name)[0] === '=' ? [lexpr, rexpr] : [],
  )
  const tested = [...find(tree, 'SubLink')].map(({ testexpr }) => testexpr)
  return [...sides, ...tested].flatMap((side) =>
    [side as Tree | undefined].flatMap((expression) => {
      const column = expression?.ColumnRef as Tree | undefined
      return column ? [textsOf(column.fields)] : []
    }),
  )
}

const textsOf = (names: unknown): string[] => [...find(names, 'String')].map(({ sval }) => String(sval))

/**
 * A row is reached by its team, or by a key: a number that no client can send, and that was found with a check of the
 * team (`resource-access.store.ts`, `token-principal.store.ts`). Ids, names and hashes, which clients send, do not count.
 */
const isTeamOrKey = (column: string): boolean =>
  column === 'id' || (column.endsWith('_id') && !['public_id', 'user_id', 'object_id'].includes(column))

/** The tables of teams that a statement reads or changes without naming the team or a key. */
function listBare(tree: unknown): string[] {
  const compared = listCompared(tree)
  const targets = ['InsertStmt', 'UpdateStmt', 'DeleteStmt'].flatMap((kind) =>
    [...find(tree, kind)].map(({ relation }) => ({
      relation: relation as Tree,
      isInsert: kind === 'InsertStmt',
    })),
  )
  const tables = [
    ...[...find(tree, 'RangeVar')].map((relation) => relation),
    ...targets.filter(({ isInsert }) => !isInsert).map(({ relation }) => relation),
  ]
  return tables
    .filter(({ relname }) => OF_TEAMS.has(String(relname)))
    .filter(({ relname, alias }) => {
      const name = (alias as Tree | undefined)?.aliasname ?? relname
      return !compared.some((path) => {
        const [column, table = name] = path.toReversed()
        return table === name && isTeamOrKey(column!)
      })
    })
    .map(({ relname }) => String(relname))
}

async function collect(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'meadow-statements-'))
  try {
    const file = join(folder, 'statements')
    // Inside of a test, node --test would report to the outer run.
    // biome-ignore lint/style/noProcessEnv: what tests start runs in their environment.
    const { NODE_TEST_CONTEXT: _, [FEATURES_ON_POSTGRES_VARIABLE]: __, ...env } = process.env
    const { status, stdout } = spawnSync(
      process.execPath,
      [...listModuleArguments(), '--test', '--test-isolation=none', '--import', COLLECTOR, ...RUN],
      { env: { ...env, [WITHOUT_POSTGRES_VARIABLE]: '1', STATEMENTS: file }, encoding: 'utf8' },
    )
    assert.equal(status, 0, stdout)
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return [...new Set(lines.map((line) => JSON.parse(line) as string))]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const IS_DATA = /^\s*(select|insert|update|delete|with)\b/i

test('[MTX-3, MTX-4] given the statements that servers run, when they reach rows of a team, then they name the team or a key, or are exceptions with a reason, each of which is needed', async () => {
  const statements = (await collect()).filter((sql) => IS_DATA.test(sql))
  assert.ok(statements.length >= 200, `${statements.length} statements`)
  const unused = new Set(EXCEPTIONS)
  const wrong: string[] = []
  const { parse } = await load('libpg-query')
  for (const sql of statements) {
    let index = 0
    // SQLite's placeholders; what only SQLite has, such as `match`, has tables of its own.
    const tree = await parse(sql.replaceAll('?', () => `$${++index}`)).catch(() => undefined)
    const bare = tree
      ? listBare(tree)
      : [...OF_TEAMS].filter((table) => new RegExp(`\\b${table}\\b`).test(sql))
    if (bare.length === 0) continue
    const exception = EXCEPTIONS.find(([pattern]) => pattern.test(normalize(sql)))
    if (exception) unused.delete(exception)
    else wrong.push(`${bare.join(', ')}: ${normalize(sql).slice(0, 300)}`)
  }
  assert.deepEqual(wrong, [])
  assert.deepEqual([...unused], [])
})
