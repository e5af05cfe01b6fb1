import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  formatCount,
  InvalidArgumentError,
  printable,
  UsageFailure,
} from '@meadow/command'
import { formatTable } from '@meadow/command/terminal'
import { MAX_VERSION_NAME } from '@meadow/contract/web/terms'
import { createHistoryWork } from '../../content/history/history-work.ts'
import { keepVersions } from '../../content/history/keep-versions.ts'
import { nameVersion, pinVersion } from '../../content/history/version-changes.ts'
import { readVersionText } from '../../content/history/versions.store.ts'
import { ReplaceError } from '../../content/replace-content.ts'
import { readStoredJson } from '../../content/stored-json.ts'
import { restoreVersion } from '../../features/history/restore-version.ts'
import {
  createVersionStore,
  type FoundVersion,
  type VersionPage,
} from '../../features/history/versions.store.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { readName } from '../arguments.ts'
import { getDocuments, openStorage, type Storage } from '../storage.ts'

const DOCUMENT = 'The id of a document: the last part of its address.'
const VERSION = 'The id of a version, or its number: "meadow-server versions list" shows both.'

/** `meadow-server versions list` */
export const versionsList: Declaration = {
  name: 'list',
  description: 'List the versions of a document, the newest first.',
  arguments: { '<document>': DOCUMENT },
  options: { '--kept': 'Only those with a name or a pin.' },
  examples: [
    'meadow-server versions list <DOCUMENT>',
    'meadow-server versions list <DOCUMENT> --kept --json',
  ],
  run: runList,
}

async function runList(
  { env, output }: CommandContext,
  id: string,
  { kept }: { kept?: true },
): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { document, team, store } = await openHistory(storage, id)
  const list = output.openList('versions')
  const rows: string[][] = []
  let after: string | undefined
  do {
    const page: VersionPage = await store.list({ document, team }, { after, keptOnly: kept === true })
    for (const version of page.versions) {
      list.add(version)
      rows.push(toRow(version))
    }
    after = page.next ?? undefined
  } while (after !== undefined)
  list.end({ documentId: id }, () =>
    rows.length === 0
      ? 'There is no version yet: the first is kept when the document changes.'
      : formatTable({ columns: ['NUMBER', 'TIME', 'KIND', 'BY', 'NODES', 'NAME', 'ID'], rows }),
  )
}

const toRow = ({ seq, at, kind, authors, nodes, name, isPinned, id }: VersionPage['versions'][number]) => [
  String(seq),
  at.slice(0, 19).replace('T', ' '),
  kind,
  authors.map((author) => printable(author.person?.name ?? author.kind)).join(', '),
  formatCount(nodes),
  [name === null ? '' : printable(name), isPinned ? '(pinned)' : ''].join(' ').trim(),
  id,
]

/** `meadow-server versions show` */
export const versionsShow: Declaration = {
  name: 'show',
  summary: 'Print the content of a version.',
  description:
    'Print the content of a version as JSON: nodes, groups and configuration as in the API. With --json, the version itself too.',
  arguments: { '<document>': DOCUMENT, '<version>': VERSION },
  examples: ['meadow-server versions show <DOCUMENT> <VERSION> > then.json'],
  run: runShow,
}

async function runShow({ env, output }: CommandContext, id: string, which: string): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { database } = storage
  const { version, blobs } = await getVersion(storage, id, which)
  const bytes = await readVersionText(database.read, blobs, version.key)
  if (!bytes) throw new CommandFailure('The version was removed meanwhile.')
  const json = new TextDecoder().decode(await readStoredJson(blobs, { bytes }))
  // The JSON is for a file too, in which nothing of it is escaped for a terminal.
  if (output.isForPeople) output.write(`${json}\n`)
  else await output.data({ version: show(version), graph: JSON.parse(json) }, () => json)
}

/** `meadow-server versions name` */
export const versionsName: Declaration = {
  name: 'name',
  summary: 'Name a version, so that it is kept.',
  description:
    'Name a version, so that it is kept. Without a version, the document as it is now; with --none, the name is taken away.',
  arguments: {
    '<document>': DOCUMENT,
    '[version]': { says: `${VERSION} "now" for the document as it is now.`, default: 'now' },
    '[name]': { says: 'What to call it.', read: readVersionName },
  },
  options: { '--none': 'Take the name away.' },
  examples: [
    'meadow-server versions name <DOCUMENT> now "Before the review"',
    'meadow-server versions name <DOCUMENT> <VERSION> "As built"',
    'meadow-server versions name <DOCUMENT> <VERSION> --none',
  ],
  run: runName,
}

function readVersionName(text: string): string {
  const name = readName(text)
  if (name.length > MAX_VERSION_NAME)
    throw new InvalidArgumentError(`It must have at most ${MAX_VERSION_NAME} characters.`)
  return name
}

async function runName(
  { env, output }: CommandContext,
  id: string,
  which: string,
  name: string | undefined,
  { none }: { none?: true },
): Promise<void> {
  if ((name === undefined) === (none === undefined)) throw new UsageFailure('Give a name, or --none.')
  await using storage = await openStorage({ env, output })
  const { version, team, reread } = await getVersion(storage, id, which)
  await changeTeam(storage.database, team, (change) => nameVersion(change, version.key, name ?? null, null))
  const named = await reread()
  await output.data({ version: show(named) }, () => named.id)
}

/** `meadow-server versions pin` */
export const versionsPin: Declaration = {
  name: 'pin',
  description: 'Pin a version, so that it is kept, or let go of it.',
  arguments: { '<document>': DOCUMENT, '<version>': VERSION },
  options: { '--off': 'Let go of it.' },
  examples: ['meadow-server versions pin <DOCUMENT> <VERSION>'],
  run: runPin,
}

async function runPin(
  { env, output }: CommandContext,
  id: string,
  which: string,
  { off }: { off?: true },
): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { version, team, reread } = await getVersion(storage, id, which)
  await changeTeam(storage.database, team, (change) => pinVersion(change, version.key, off !== true))
  const pinned = await reread()
  await output.data({ version: show(pinned) }, () => pinned.id)
}

/** `meadow-server versions restore` */
export const versionsRestore: Declaration = {
  name: 'restore',
  summary: 'Make a document what it was in a version.',
  description:
    'Make a document what it was in a version, also while people edit it. What it is now is kept as a version before.',
  arguments: { '<document>': DOCUMENT, '<version>': VERSION },
  examples: ['meadow-server versions restore <DOCUMENT> <VERSION>'],
  run: runRestore,
}

async function runRestore({ env, output }: CommandContext, id: string, which: string): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { database, solves } = storage
  const { version, document, team, blobs, store } = await getVersion(storage, id, which)
  const restored = await restoreVersion(
    { database, blobs, history: createHistoryWork(blobs), actor: undefined, team },
    document,
    version.key,
    true,
  ).catch((error: unknown) => {
    if (error instanceof ReplaceError) throw new CommandFailure(`It was not restored: ${error.message}`)
    throw error
  })
  if (!restored) throw new CommandFailure('The version was removed meanwhile. Nothing was restored.')
  const asked = await solves.request(team, [document], { cause: 'automatic' })
  const { key: _, ...before } = await store.get({ document, team }, restored.before)
  await output.data({ documentId: id, restored: show(version), before }, () => before.id)
  output.message(
    `The document is what it was at ${version.at}. What it was before is the version printed above.`,
  )
  if ('error' in asked) output.warning('The team has no credits left, so it is not solved.')
}

const show = ({ key: _, ...version }: FoundVersion) => version

/** A document and its versions, those that are due included. */
async function openHistory(storage: Storage, id: string) {
  const { database } = storage
  const [found] = await getDocuments(storage, [id])
  const { key: document, team } = found!
  const { blobs } = await storage.openBlobs()
  await keepVersions({ database, blobs, history: createHistoryWork(blobs) }, document)
  return { document, team, blobs, store: createVersionStore(database) }
}

/** A version by its id, its number, or `now`. Fails with a sentence when there is none. */
async function getVersion(storage: Storage, id: string, which: string) {
  const history = await openHistory(storage, id)
  const { document, team, store, blobs } = history
  const place = { document, team }
  const { database } = storage
  const newest =
    which === 'now'
      ? await keepVersions({ database, blobs, history: createHistoryWork(blobs) }, document, 'manual')
      : undefined
  const version = newest
    ? await store.get(place, newest.key)
    : await (/^\d{1,9}$/.test(which) ? store.findAt(place, Number(which)) : store.find(place, which))
  if (!version) {
    throw new CommandFailure(
      `The document has no version "${printable(which)}". "meadow-server versions list ${printable(id)}" shows all.`,
    )
  }
  return { ...history, version, reread: () => store.get(place, version.key) }
}
