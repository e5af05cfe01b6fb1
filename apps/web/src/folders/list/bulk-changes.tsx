import { Button, CloseButton, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import {
  binItems,
  changeFavourites,
  exportFromEditor,
  type ItemProblem,
  type ItemReference,
  moveItems,
  restoreBinItems,
  SOLVES_AT_ONCE,
  solveDocuments,
  stopSolves,
} from '@meadow/contract/web'
import { createContext, useContext, useState } from 'react'
import { call, errorMessage, readDownload } from '../../api/call.ts'
import { count } from '../../shell/count.ts'
import { openArchive } from '../../shell/download.ts'
import { notifyText } from '../../shell/notices.tsx'
import { ProblemList } from '../../shell/problem-list.tsx'
import { type BulkItem, useFolderChange } from '../items/folder-changes.ts'

interface BulkRun {
  doing: string
  done: string
  total: number
  finished: number
  problems: readonly ItemProblem[]
  isRunning: boolean
  /** What can be done about it afterwards, and the ids that it takes. */
  next: { label: 'Undo' | 'Stop'; ids: readonly string[] } | undefined
}

/** Changes of several items. Each resolves to the ids of the items that stayed as they were. */
export interface BulkChanges {
  run: BulkRun | undefined
  move(items: readonly BulkItem[], folderId: string): Promise<ReadonlySet<string>>
  bin(items: readonly BulkItem[]): Promise<ReadonlySet<string>>
  favour(items: readonly BulkItem[], isFavourite: boolean): Promise<ReadonlySet<string>>
  /** Asks for solves of the documents among the items. */
  solve(items: readonly BulkItem[]): Promise<ReadonlySet<string>>
  /** Saves one archive with the files of the documents among the items. */
  download(items: readonly BulkItem[], format: '.gh' | '.3dm'): Promise<unknown>
  /** Restores what was put into the bin last, or takes what waits to be solved out of the queue. */
  goOn(): void
  dismiss(): void
}

const BulkContext = createContext<BulkChanges | undefined>(undefined)
export const BulkProvider = BulkContext.Provider

/** Returns the bulk changes of the {@link BulkProvider} around the component. */
export function useBulk(): BulkChanges {
  const bulk = useContext(BulkContext)
  if (!bulk) throw new Error('useBulk needs a BulkProvider.')
  return bulk
}

/** The number of items in one request: so few that other writers hardly wait, and that progress is seen. */
const BATCH = Math.min(100, SOLVES_AT_ONCE)

interface Start {
  doing: string
  done: string
  /** Whether the change of a single item is not reported when it succeeds. */
  isQuiet: boolean
  /** What can be done about it afterwards. */
  next?: 'Undo' | 'Stop'
  /** The number of items in one request, if it is another one. */
  batch?: number
  ids: readonly string[]
  names: ReadonlyMap<string, string | undefined>
  /** Changes the items from the position `from` up to, but without, the position `to`. */
  send(from: number, to: number): Promise<{ problems: readonly ItemProblem[]; ids?: readonly string[] }>
}

/** Changes items of a team in requests of a bounded number, one after the other, with their progress. */
export function useBulkChanges(teamId: string): BulkChanges {
  const [run, setRun] = useState<BulkRun>()
  const params = [teamId]
  const { mutateAsync: start } = useFolderChange(
    async ({ doing, done, isQuiet, next, batch = BATCH, ids, names, send }: Start) => {
      let state: BulkRun = {
        ...{ doing, done, total: ids.length, finished: 0, problems: [], isRunning: true },
        next: next && { label: next, ids: [] },
      }
      setRun(state)
      for (let from = 0; from < ids.length; from += batch) {
        const some = ids.slice(from, from + batch)
        const { problems, ids: after = [] } = await send(from, from + some.length).catch(
          (error: unknown) => ({
            problems: some.map((id) => ({ id, name: null, error: errorMessage(error) })),
            ids: [],
          }),
        )
        const named = problems.map(({ name, ...rest }) => ({
          ...rest,
          name: name ?? names.get(rest.id) ?? null,
        }))
        state = {
          ...state,
          finished: from + some.length,
          problems: [...state.problems, ...named],
          next: state.next && { ...state.next, ids: [...state.next.ids, ...after] },
        }
        setRun(state)
      }
      const [problem] = state.problems
      if (ids.length === 1 && problem) notifyText(problem.error)
      setRun(ids.length === 1 && (problem || isQuiet) ? undefined : { ...state, isRunning: false })
      return new Set(state.problems.map(({ id }) => id))
    },
  )
  const startItems = (
    items: readonly BulkItem[],
    words: Pick<Start, 'doing' | 'done' | 'isQuiet' | 'next' | 'batch'>,
    send: (some: ItemReference[]) => ReturnType<Start['send']>,
  ) =>
    start({
      ...words,
      ids: items.map(({ id }) => id),
      names: new Map(items.map(({ id, name }) => [id, name])),
      send: (from, to) => send(items.slice(from, to).map(({ kind, id }) => ({ kind, id }))),
    })

  return {
    run,
    move: (items, folderId) =>
      startItems(items, { doing: 'Moving', done: 'moved', isQuiet: true }, (some) =>
        call(moveItems, { params, body: { items: some, folderId } }),
      ),
    bin: (items) =>
      startItems(
        items,
        { doing: 'Deleting', done: 'in the bin', isQuiet: false, next: 'Undo' },
        async (some) => {
          const { problems, binItemIds: ids } = await call(binItems, { params, body: { items: some } })
          return { problems, ids }
        },
      ),
    favour: (items, isFavourite) => {
      const done = isFavourite ? 'marked as favourites' : 'no longer favourites'
      return startItems(items, { doing: 'Marking', done, isQuiet: true }, async (some) => {
        await call(changeFavourites, { params, body: { items: some, isFavourite } })
        return { problems: [] }
      })
    },
    solve(items) {
      const words = { doing: 'Asking for', done: 'waiting to be solved, or solved', next: 'Stop' } as const
      return startItems(items, { ...words, isQuiet: false }, async (some) => {
        const ids = some.map(({ id }) => id)
        const { problems } = await call(solveDocuments, { params, body: { documentIds: ids } })
        return { problems, ids }
      })
    },
    async download(items, format) {
      const archive = await openArchive()
      const words = { doing: 'Downloading', done: 'in the archive', isQuiet: false, batch: 1 } as const
      await startItems(items, words, async ([item]) => {
        const made = await call(exportFromEditor, { params: [item!.id], body: { format } })
        archive.add(made.export.fileName, await readDownload(made.export.url))
        return { problems: [] }
      })
      archive.save(`Meadow ${new Date().toLocaleDateString('sv')}.zip`)
    },
    goOn() {
      // The order is reversed, so that folders are restored before what was deleted before them.
      const ids = run!.next!.ids.toReversed()
      const words =
        run!.next!.label === 'Undo'
          ? { doing: 'Restoring', done: 'restored' }
          : { doing: 'Stopping', done: 'not waiting any more' }
      const send: Start['send'] = async (from, to) => {
        const some = ids.slice(from, to)
        if (run!.next!.label === 'Undo') return call(restoreBinItems, { params, body: { binItemIds: some } })
        await call(stopSolves, { params, body: { documentIds: some } })
        return { problems: [] }
      }
      void start({ ...words, isQuiet: false, ids, names: new Map(), send })
    },
    dismiss: () => setRun(undefined),
  }
}

/** The progress of a change, and how it ended. */
export function BulkState() {
  const { run, goOn, dismiss } = useBulk()
  if (!run) return null
  const { doing, done, total, finished, problems, isRunning, next } = run
  const changed = total - problems.length
  const ended = `${count(changed, 'item')} ${changed === 1 ? 'is' : 'are'} ${done}.`
  return (
    <Paper withBorder p="xs" component="section" aria-label="Change of several items">
      <Group justify="space-between" wrap="nowrap" align="start">
        <Stack gap={4} flex={1} miw={0} role="status">
          <Text size="sm">
            {isRunning
              ? `${doing} ${count(total, 'item')}: ${finished.toLocaleString('en')} done`
              : problems.length > 0
                ? `${ended} ${count(problems.length, 'item')} could not be.`
                : ended}
          </Text>
          {isRunning && <Progress value={(100 * finished) / total} size="sm" aria-label={`${doing} items`} />}
          <ProblemList lines={problems.map(({ id, name, error }) => `${name ?? id}: ${error}`)} />
        </Stack>
        {!isRunning && (
          <Group gap="xs" wrap="nowrap">
            {next && next.ids.length > 0 && (
              <Button size="compact-sm" variant="light" onClick={goOn}>
                {next.label}
              </Button>
            )}
            <CloseButton aria-label="Dismiss" onClick={dismiss} />
          </Group>
        )}
      </Group>
    </Paper>
  )
}
