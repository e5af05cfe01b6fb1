import {
  listMirrorRuns,
  listMirrors,
  type Mirror,
  type MirrorChange,
  type MirrorRun,
} from '@meadow/contract/web'
import { serveApp } from '../../http/app-api/app-route.ts'
import { HttpError } from '../../http/http-error.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { countChanges, type RecordedChange } from './mirror-changes.ts'
import type { MirrorRecord, MirrorStore, RecordedRun } from './mirrors.store.ts'

/** Mirrors in the web app, where nothing about them can be changed: the paths are those of the operator's machine. */
export const mirrorRoutes = (store: Pick<MirrorStore, 'list' | 'find' | 'listRuns' | 'listThere'>) => [
  serveApp(listMirrors, async ({ access }) => ({ mirrors: (await store.list(access.team)).map(showMirror) })),

  serveApp(listMirrorRuns, async ({ access, params }) => {
    const mirror = await store.find(params.mirrorId)
    if (mirror?.team !== access.team) throw new HttpError('mirror_not_found')
    const runs = await store.listRuns(mirror.key)
    const ids = runs.flatMap(({ changes }) => changes.flatMap(({ id }) => id ?? []))
    const there = await store.listThere(access.team, ids)
    return {
      runs: runs.map((run) => ({
        ...showRun(run),
        changes: run.changes.map((change) => showChange(change, there)),
        omitted: run.counts ? countChanges(run.counts) - run.changes.length : 0,
      })),
    }
  }),
]

function showMirror({
  id,
  name,
  path,
  folder,
  gone,
  createdAt,
  isWatched,
  completedAt,
  lastRun,
}: MirrorRecord): Mirror {
  return {
    id,
    name,
    path,
    folder: folder ? { id: folder.id, name: folder.name } : null,
    gone,
    createdAt: toTimestamp(createdAt),
    isWatched,
    completedAt: completedAt === null ? null : toTimestamp(completedAt),
    lastRun: lastRun ? showRun(lastRun) : null,
  }
}

const showRun = ({ state, startedAt, endedAt, reason, counts }: Omit<RecordedRun, 'changes'>): MirrorRun => ({
  state,
  startedAt: toTimestamp(startedAt),
  endedAt: endedAt === null ? null : toTimestamp(endedAt),
  reason,
  counts,
})

const showChange = (
  { outcome, path, from, id, reason }: RecordedChange,
  there: ReadonlySet<string>,
): MirrorChange => ({
  outcome,
  path,
  from: from ?? null,
  item:
    id === undefined
      ? null
      : { kind: id.startsWith('doc_') ? 'document' : 'file', id, isThere: there.has(id) },
  reason: reason ?? null,
})
