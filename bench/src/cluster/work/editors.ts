import { type GraphContent, type LiveDocument, openLive, renameNode } from '@meadow/client/live'
import { addressOf } from '../../harness/request.ts'
import type { EditedDocument } from '../parts/build-team.ts'
import type { NamedServer } from '../parts/cluster.ts'
import type { Edits } from './ledger.ts'
import { pause } from './requests.ts'
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
const RETRY_MS = 250
const OPEN_TIMEOUT_MS = 20_000

export const nameOf = (edit: number): string => `edit ${edit}`

/** Reads the edits that a document contains: the last one of each node. */
export function readEdits({ nodes }: Pick<GraphContent, 'nodes'>): Edits {
  const edits = new Map<string, number>()
  for (const [node, { nickName }] of Object.entries(nodes)) {
    const edit = /^edit (\d+)$/.exec(nickName ?? '')?.[1]
    if (edit !== undefined) edits.set(node, Number(edit))
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
    if (!(await Promise.race([acknowledged, ended]))) return
    ledger.count('edits')
    ledger.promise(document.id, node, number)
    await pause(EDIT_MS, signal)
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
