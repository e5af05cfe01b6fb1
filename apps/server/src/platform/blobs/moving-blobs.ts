import type { BlobStore, OpenBlob } from './blobs.ts'

/** A mark in the next store while blobs are moved there; its text is the id of the store that they come from. */
export const MOVING_MARK = 'moving-from'

/** How long the end of a move may go unnoticed: the former store has to stay for as long. */
const NOTICED_AFTER_MS = 1000

/**
 * The blobs of a service that is being moved to `next`. Every blob is put into both stores, so that processes that only
 * know the former one find it; what is missing in `next` is read from the former one. When the mark of the move is gone,
 * only `next` is used.
 */
export function createMovingBlobs(
  next: BlobStore,
  former: BlobStore,
  now: () => number = performance.now.bind(performance),
): BlobStore {
  let checked: { at: number; isMoving: Promise<boolean> } | undefined
  let hasMoved = false

  /** The former store while blobs are moved. */
  async function findFormer(): Promise<BlobStore | undefined> {
    if (hasMoved) return undefined
    if (!checked || now() - checked.at > NOTICED_AFTER_MS) {
      checked = { at: now(), isMoving: next.readMark(MOVING_MARK).then((mark) => mark !== undefined) }
      checked.isMoving.catch(() => {
        checked = undefined
      })
    }
    if (await checked.isMoving) return former
    hasMoved = true
    return undefined
  }

  /** Asks the next store, the former one, and the next one again: the blob may have been copied meanwhile. */
  async function find<T>(ask: (store: BlobStore) => Promise<T | undefined>): Promise<T | undefined> {
    const found = await ask(next)
    if (found !== undefined || hasMoved) return found
    const other = await findFormer()
    return (other && (await ask(other))) ?? (await ask(next))
  }

  return {
    async put(bytes) {
      // In this order: garbage collection asks the former store first, and so sees one of the two.
      const stored = await next.put(bytes)
      const other = await findFormer()
      if (other) await (bytes instanceof Uint8Array ? other.put(bytes) : putAgain(next, other, stored.digest))
      return stored
    },
    open: (digest) => find((store) => store.open(digest)),
    read: (digest) => find((store) => store.read(digest)),
    has: async (digest) => (await find(async (store) => (await store.has(digest)) || undefined)) ?? false,
    size: (digest) => find((store) => store.size(digest)),
    async remove(digest) {
      await (await findFormer())?.remove(digest)
      await next.remove(digest)
    },
    async removeUnlessPut(digest, before) {
      const other = await findFormer()
      if (other && !(await other.removeUnlessPut(digest, before))) return false
      return next.removeUnlessPut(digest, before)
    },
    async *list() {
      yield* next.list()
      const other = await findFormer()
      if (!other) return
      for await (const blob of other.list()) {
        if (!(await next.has(blob.digest))) yield blob
      }
    },
    countUnfinished: next.countUnfinished,
    async checkWritable() {
      await next.checkWritable()
      await (await findFormer())?.checkWritable()
    },
    readMark: next.readMark,
    writeMark: next.writeMark,
    removeMark: next.removeMark,
    listMarks: next.listMarks,
  }
}

/** A stream can be read once: the blob is read from where it was put. */
async function putAgain(from: BlobStore, to: BlobStore, digest: string): Promise<void> {
  const blob = await from.open(digest)
  if (blob) await to.put(streamOf(blob))
}

const streamOf = (blob: OpenBlob): AsyncIterable<Uint8Array> => blob.stream()
