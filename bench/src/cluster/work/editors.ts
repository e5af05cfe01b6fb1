import { type GraphContent, type LiveDocument, openLive, renameNode } from '@meadow/client/live'
import { APP_PREFIX } from '@meadow/contract/web'
import { rejectOn } from '../../harness/reject-on.ts'
import { addressOf } from '../../harness/request.ts'
import type { EditedDocument } from '../parts/build-team.ts'
import type { NamedServer } from '../parts/cluster.ts'
import type { Edits } from './ledger.ts'
import { pause, sendUntilAnswered } from './requests.ts'
import type { Work } from './work.ts'

export interface Editor {
  document: EditedDocument
  /** The nodes that only this editor renames. */
  nodes: readonly string[]
  /**
   * Whether the editor keeps its copy when its connection is lost, as people's browsers do. Otherwise it discards the
   * copy and opens the document again, so that a lost edit is not sent again.
   */
  keepsCopy: boolean
}

/**
 * The number of the first edit. It is higher than the numbers of `figures.ts`, which renames the same nodes before: a
 * lower number counts as a lost edit.
 */
const FIRST_EDIT = 1000

const EDIT_MS = 100
const RENAME_MS = 200
const RETRY_MS = 250
const OPEN_TIMEOUT_MS = 20_000

export const nameOf = (edit: number): string => `edit ${edit}`

/** The key of the name of a document among its edits. */
export const OWN_NAME = 'name'

/** Reads the edits that a document contains: the last one of each node, and of its own name. */
export function readEdits({ nodes, name }: Pick<GraphContent, 'nodes'> & { name?: string }): Edits {
  const edits = new Map<string, number>()
  const names = Object.entries(nodes).map(([node, { nickName }]) => [node, nickName] as const)
  for (const [key, text] of [...names, [OWN_NAME, name] as const]) {
    const edit = /^edit (\d+)$/.exec(text ?? '')?.[1]
    if (edit !== undefined) edits.set(key, Number(edit))
  }
  return edits
}

/** Renames the nodes of an editor, one after the other, until the work ends. Each acknowledged edit is a promise. */
export async function edit(work: Work, editor: Editor): Promise<void> {
  const numbers = { next: FIRST_EDIT }
  while (!work.signal.aborted) {
    const live = await open(work, editor.document.id, work.balancer)
    if (!live) continue
    await editUntilLost(work, editor, live, numbers)
    live.close()
  }
}

async function editUntilLost(
  { ledger, signal }: Work,
  { document, nodes, keepsCopy }: Editor,
  live: LiveDocument,
  numbers: { next: number },
): Promise<void> {
  const lost = Promise.withResolvers<void>()
  live.on('status', (status) => {
    if (status === 'closed' || !keepsCopy) lost.resolve()
  })
  live.on('reset', ({ message }) =>
    ledger.violate('lost edits', `An editor's copy was discarded: ${message}`),
  )
  const isLost = () => live.status === 'closed' || (!keepsCopy && live.status !== 'open')
  while (!signal.aborted && !isLost()) {
    const number = numbers.next++
    const node = nodes[number % nodes.length]!
    live.edit((doc) => renameNode(doc, node, nameOf(number)))
    const acknowledged = live.durable().then(
      () => true,
      () => false,
    )
    const ended = Promise.race([lost.promise, aborted(signal)]).then(() => false)
    if (!(await Promise.race([acknowledged, ended]))) return ledger.doubt(document.id, node)
    ledger.count('edits')
    ledger.promise(document.id, node, number)
    await pause(EDIT_MS, signal)
  }
}

const OK = 200

/** Gives documents numbered names, one after the other, until the work ends. */
export async function rename(work: Work, documents: readonly EditedDocument[]): Promise<void> {
  const { team, servers, balancer, random, ledger, signal } = work
  for (let number = FIRST_EDIT; !signal.aborted; number++) {
    const { id } = random.pick(documents)
    const json = JSON.stringify({ name: nameOf(number) })
    const headers = { cookie: team.owner.cookie }
    const request = { path: `${APP_PREFIX}/documents/${id}`, headers, json, method: 'PATCH' }
    const anywhere = () => random.pick([...servers, balancer])
    const response = await sendUntilAnswered(anywhere, request, ledger, signal)
    if (response && response.status !== OK)
      throw new Error(`A document was not renamed: ${response.status} ${response.body}`)
    if (response) ledger.promise(id, OWN_NAME, number)
    ledger.count('renames')
    await pause(RENAME_MS, signal)
  }
}

/**
 * Makes one edit. Resolves with whether it was acknowledged before the connection was lost, in which case it may be stored
 * later. `signal` aborts the wait.
 */
export async function editOnce(
  live: LiveDocument,
  { node, number }: { node: string; number: number },
  signal: AbortSignal,
): Promise<boolean> {
  if (live.status !== 'open') return false
  const lost = Promise.withResolvers<never>()
  const stopListening = live.on('status', (status) => status === 'open' || lost.reject(new Error(status)))
  try {
    live.edit((doc) => renameNode(doc, node, nameOf(number)))
    await Promise.race([live.durable(), rejectOn(signal), lost.promise])
    return true
  } catch {
    return false
  } finally {
    stopListening()
  }
}

/** Opens a document. Resolves with undefined when that failed, which is noted. */
export async function open(
  { ledger, signal, team }: Work,
  documentId: string,
  server: NamedServer,
  cookie: string = team.owner.cookie,
): Promise<LiveDocument | undefined> {
  try {
    return await openLive({ address: addressOf(server), cookie, documentId, timeoutMs: OPEN_TIMEOUT_MS })
  } catch (error) {
    if (!signal.aborted) ledger.fail(`${server.name}: a document was not opened: ${(error as Error).message}`)
    await pause(RETRY_MS, signal)
    return undefined
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
