import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { TeamState } from '@meadow/client'
import { CommandFailure } from '@meadow/command'
import { isPlainName } from './file-names.ts'
import { FORMATS } from './formats.ts'
import { refuseLinks } from './refuse-links.ts'

/** A file of a mirror. */
export interface PulledFile {
  size: number
  sha256: string
}

/** The files that a mirror has of a document. */
export interface PulledDocument {
  /** The path of its files in the mirror without their endings, with slashes. */
  base: string
  name: string
  updatedAt: string
  /** The entity tag of the solution that the files are made of. */
  solutionTag?: string
  /** Why there was no newer solution, if there was none. */
  unsolved?: string
  /** The files by format. */
  files: Record<string, PulledFile>
  /** The base that its files are being moved to. Only the journal contains it. */
  movingTo?: string
}

/** The source of a mirror, which is one folder of one service and never changes. */
export interface PullSource {
  url: string
  /** The id of the folder. That of the root folder also identifies the team. */
  folderId: string
}

export interface PullState extends PullSource {
  version: 1
  /**
   * The ids of the folders in the root folder, by their names in the mirror, if the root folder is mirrored. Absent
   * until a pull has ended, and in mirrors of older versions.
   */
  rootFolders?: Record<string, string>
  /** The documents by id. */
  documents: Record<string, PulledDocument>
}

/** The folder of the state in a mirror. */
const STATE_FOLDER = '.meadow'

/** The files that a repository does not need. */
const IGNORED = 'seen.json\njournal.jsonl\nlock\nmoved/\nunfinished/\n*.part\n'

/**
 * The state of a mirror while a pull runs. Each step is noted as a line of a journal, so that the next pull continues
 * where a killed one was. At the end the journal becomes the state.
 */
export interface OpenState extends AsyncDisposable {
  readonly documents: ReadonlyMap<string, PulledDocument>
  /** The root folders at the end of the last complete pull. */
  readonly rootFolders: PullState['rootFolders']
  /** What was seen of the team by the last pull without errors; undefined when that is not of this state. */
  readonly seen: TeamState | undefined
  /** A folder for files on their way to another place. */
  readonly movingFolder: string
  /** A folder for files that are being written or downloaded. */
  readonly unfinishedFolder: string
  note(id: string, document: PulledDocument | undefined): Promise<void>
  /** Writes the state, and ends the journal. */
  finish(rootFolders: PullState['rootFolders'], seen: TeamState | undefined): Promise<void>
}

/** Opens the state of the mirror in `folder`, which is created if it does not exist. Only one pull can have it open. */
export async function openState(folder: string, source: PullSource): Promise<OpenState> {
  const stateFolder = join(folder, STATE_FOLDER)
  const paths = {
    state: join(stateFolder, 'state.json'),
    seen: join(stateFolder, 'seen.json'),
    journal: join(stateFolder, 'journal.jsonl'),
    lock: join(stateFolder, 'lock'),
    moving: join(stateFolder, 'moved'),
    unfinished: join(stateFolder, 'unfinished'),
  }
  const ignored = join(stateFolder, '.gitignore')
  for (const path of [...Object.values(paths), ignored]) await refuseLinks(folder, path)
  await mkdir(stateFolder, { recursive: true })
  await takeLock(paths.lock)
  let journal: FileHandle | undefined
  const close = async () => {
    await journal?.close()
    await rm(paths.lock, { force: true })
  }
  try {
    const { documents, rootFolders } = await readState(paths, source)
    const seen = await readSeen(paths, source)
    await writeFile(ignored, IGNORED)
    await nameSource(paths.state, source)
    await rm(paths.moving, { recursive: true, force: true })
    journal = await open(paths.journal, 'a')
    // The last line may be half a line of a pull that was killed.
    await journal.write('\n')
    return {
      documents,
      rootFolders,
      seen,
      movingFolder: paths.moving,
      unfinishedFolder: paths.unfinished,
      async note(id, document) {
        if (document) documents.set(id, document)
        else documents.delete(id)
        await journal!.write(`${JSON.stringify({ id, document })}\n`)
      },
      async finish(rootFolders, seen) {
        const sorted = [...documents].sort(([, a], [, b]) => (a.base < b.base ? -1 : 1))
        const state: PullState = {
          ...{ version: 1, ...source, ...(rootFolders && { rootFolders }) },
          documents: Object.fromEntries(sorted),
        }
        const text = `${JSON.stringify(state, undefined, 1)}\n`
        await replaceFile(paths.state, text)
        await rm(paths.journal, { force: true })
        await replaceFile(paths.seen, JSON.stringify({ of: digest(text), seen }))
        for (const path of [paths.moving, paths.unfinished]) await rm(path, { recursive: true, force: true })
      },
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Notes the source of a mirror when it is created. */
async function nameSource(path: string, source: PullSource): Promise<void> {
  if (parse(await readText(path))) return
  const state: PullState = { version: 1, ...source, documents: {} }
  await replaceFile(path, `${JSON.stringify(state, undefined, 1)}\n`)
}

async function replaceFile(path: string, text: string): Promise<void> {
  // Most pulls change nothing, so the file is not written again.
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return
  const unfinished = `${path}.${randomUUID()}.part`
  await writeFile(unfinished, text)
  await rename(unfinished, path)
}

async function readState(
  { state, journal }: { state: string; journal: string },
  source: PullSource,
): Promise<{ documents: Map<string, PulledDocument>; rootFolders: PullState['rootFolders'] }> {
  const stored = parse<Partial<PullState>>(await readText(state))
  if (stored && stored.version !== 1)
    throw new CommandFailure(`"${state}" is of another version of this command: pull into an empty folder.`)
  if (stored && (stored.url !== source.url || stored.folderId !== source.folderId)) {
    throw new CommandFailure(
      `This folder mirrors ${stored.folderId} of ${stored.url}, and this pull is of ${source.folderId} of ${source.url}: ` +
        'use the token of that team, or pull into another folder.',
    )
  }
  const documents = new Map(Object.entries(stored?.documents ?? {}))
  for (const line of (await readText(journal)).split('\n')) {
    const entry = parse<{ id: string; document?: PulledDocument }>(line)
    if (entry?.document) documents.set(entry.id, entry.document)
    else if (entry) documents.delete(entry.id)
  }
  // A mirror may come from a repository of somebody else.
  if (![...documents.values()].every(isOfMirror))
    throw new CommandFailure(
      `"${state}" has a document that is not in this folder: delete it, and pull into an empty folder.`,
    )
  return { documents, rootFolders: stored?.rootFolders }
}

/** Reads what was seen. It is not part of a repository, whose state may be of another time. */
async function readSeen(
  { state, seen }: { state: string; seen: string },
  { folderId }: PullSource,
): Promise<TeamState | undefined> {
  const stored = parse<{ of: string; seen?: TeamState }>(await readText(seen))
  if (stored?.of !== digest(await readText(state))) return undefined
  return stored.seen?.version === 2 && stored.seen.folderId === folderId ? stored.seen : undefined
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Whether the files of a document are in the mirror, and have formats that a pull makes. */
function isOfMirror({ base, files }: PulledDocument): boolean {
  const isInside = typeof base === 'string' && base.split('/').every(isPlainName)
  return isInside && Object.keys(files ?? {}).every((format) => Object.hasOwn(FORMATS, format))
}

/** Reads a text, which is empty for a file that does not exist. */
async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Creates the lock of this process. The lock of a process that has ended does not count. */
async function takeLock(path: string): Promise<void> {
  const mine = JSON.stringify({ pid: process.pid, host: hostname() })
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeFile(path, mine, { flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const other = parse<{ pid: number; host: string }>(await readText(path))
    if (attempt > 3 || (other && (other.host !== hostname() || isAlive(other.pid)))) {
      throw new CommandFailure(`Another pull into this folder runs. If none does, delete "${path}".`)
    }
    await rm(path, { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
