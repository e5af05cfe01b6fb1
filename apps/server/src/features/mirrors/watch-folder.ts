import { statfs } from 'node:fs/promises'
import { basename, relative, sep } from 'node:path'
import { type ChokidarOptions, watch } from 'chokidar'
import { findCode } from '../../platform/system-errors.ts'

export interface WatchRequest {
  /** Absolute path of a folder, or of one file. */
  path: string
  /** How often to look, in milliseconds; undefined: the system reports changes, where it can. */
  pollMs: number | undefined
  /** Whether changes of a file with this name matter. */
  isRelevant(fileName: string): boolean
  /** Called for each change with the path relative to the folder, with `/` between the names. */
  onChange(path: string): void
  /** Called when the watch has missed changes, or will: it has to be opened again. */
  onFailure(): void
}

export interface FolderWatch extends AsyncDisposable {
  readonly mode: WatchMode
}

/** `reason`: why polling is necessary; undefined when it was requested. */
export type WatchMode = { by: 'events' } | { by: 'polling'; everyMs: number; reason?: string | undefined }

/** The pause between two looks, long enough for a network drive with ten thousand files. */
export const DEFAULT_POLL_MS = 10_000

/**
 * Watches a folder with everything in it. Links to folders are not followed, hidden files and folders are left out, as in
 * an import. The folder is polled where the system cannot report changes, or cannot watch that many folders.
 */
export async function watchFolder(request: WatchRequest): Promise<FolderWatch> {
  const { path, pollMs } = request
  if (pollMs !== undefined) return open(request, { by: 'polling', everyMs: pollMs })
  const network = await findNetworkReason(path)
  if (network !== undefined)
    return open(request, { by: 'polling', everyMs: DEFAULT_POLL_MS, reason: network })
  try {
    return await open(request, { by: 'events' })
  } catch (error) {
    const reason = LIMITS[findCode(error) ?? '']
    if (reason === undefined) throw error
    return open(request, { by: 'polling', everyMs: DEFAULT_POLL_MS, reason })
  }
}

/** The errors of systems that watch no more folders. */
const LIMITS: Record<string, string> = {
  ENOSPC:
    'the system allows too few watches for so many folders (on Linux, raise fs.inotify.max_user_watches with sysctl)',
  EMFILE:
    'the system allows too few open files or watchers (on Linux, raise fs.inotify.max_user_instances with sysctl)',
  ENFILE: 'too many files are open in the system',
}

/**
 * File systems of Linux (statfs(2), linux/magic.h) whose changes by other machines, or by the host of a virtual machine,
 * are not reported.
 */
const NETWORK_TYPES: Record<number, string> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'SMB',
  4266872130: 'SMB',
  1702057286: 'FUSE',
  16914839: '9P',
  12805120: 'Ceph',
  198183888: 'Lustre',
  1397113167: 'AFS',
  1799439955: 'AFS',
  2020557398: 'VirtualBox',
  3133910204: 'VMware',
}

/** Why changes in the folder are not reported by the system, as far as that is known. */
async function findNetworkReason(path: string): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  const { type } = await statfs(path)
  const name = NETWORK_TYPES[type >>> 0]
  return name && `the folder is on a network drive or shared by another system (${name})`
}

async function open(
  { path, isRelevant, onChange, onFailure }: WatchRequest,
  mode: WatchMode,
): Promise<FolderWatch> {
  const toPath = (absolute: string) => relative(path, absolute).split(sep).join('/')
  const options: ChokidarOptions = {
    ignoreInitial: true,
    ignorePermissionErrors: true,
    followSymlinks: false,
    atomic: false,
    ignored(absolute, stats) {
      if (absolute === path) return false
      const name = basename(absolute)
      return name.startsWith('.') || (stats !== undefined && !stats.isDirectory() && !isRelevant(name))
    },
    ...(mode.by === 'polling'
      ? { backend: 'polling', pollingInterval: mode.everyMs, pollingBinaryInterval: mode.everyMs }
      : { backend: 'auto' }),
  }
  const watcher = watch(path, options)
  const ready = Promise.withResolvers<void>()
  let isReady = false
  watcher.on('error', (error) => (isReady ? onFailure() : ready.reject(error)))
  watcher.on('all', (_event, absolute) => onChange(toPath(absolute)))
  watcher.once('ready', ready.resolve)
  try {
    await ready.promise
    isReady = true
    return { mode, [Symbol.asyncDispose]: () => watcher.close() }
  } catch (error) {
    await watcher.close()
    throw error
  }
}
