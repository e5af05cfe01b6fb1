import { createAppFolder, readAppFolder, type Upload, uploadFile } from '@meadow/contract/web'
import { useState } from 'react'
import { ApiError, call, errorMessage, urlOf } from '../api/call.ts'
import { useFileDrop } from '../shell/file-drops.tsx'
import { notifyText } from '../shell/notices.tsx'
import { type DroppedFile, readDropped, sortDropped } from './dropped-files.ts'
import { useFolderRefresh } from './folder-changes.ts'

/** A file that is being uploaded, or was. */
export interface FileUpload extends DroppedFile {
  readonly key: string
  /** The fraction of its bytes that is sent, from 0 to 1. */
  readonly sent: number
  readonly result: Upload | undefined
  readonly problem: string | undefined
  /** The user stopped before it was imported. */
  readonly isCancelled: boolean
}

export interface Uploads {
  readonly folderId: string
  readonly list: readonly FileUpload[]
  /** Files of dropped folders go into folders of the same names, as in an import. */
  add(files: readonly DroppedFile[]): void
  /** Sends files again after a conflict or a failure. */
  again(uploads: readonly FileUpload[], onConflict?: 'replace' | 'copy'): void
  /** Stops the file that is being sent, and those that wait. */
  cancel(): void
  /** Takes uploads off the list. */
  dismiss(uploads: readonly FileUpload[]): void
}

/** How often the page shows the progress of files, and reads folders again while they fill, in milliseconds. */
const SHOWN_EVERY_MS = 100
const READ_AGAIN_EVERY_MS = 2000

/**
 * Uploads files into a folder, one after the other in the order of {@link Uploads.add}. The page is drawn some times a
 * second, however many files there are and however fast they are sent.
 */
export function useUploads(folderId: string): Uploads {
  const [list, setList] = useState<readonly FileUpload[]>([])
  const readAgain = useFolderRefresh()
  const [queue] = useState(() => createQueue(setList))
  queue.readAgain = readAgain
  return {
    folderId,
    list,
    add: (files) =>
      queue.send(
        folderId,
        files.map((file) => ({ ...NEW, ...file, key: crypto.randomUUID() })),
      ),
    again: (uploads, onConflict) =>
      queue.send(
        folderId,
        uploads.map((upload) => ({ ...upload, ...NEW })),
        onConflict,
      ),
    cancel: queue.cancel,
    dismiss: queue.dismiss,
  }
}

const NEW = { sent: 0, result: undefined, problem: undefined, isCancelled: false }

/** Sends files; `show` gets the list after changes, at most ten times a second. */
function createQueue(show: (list: readonly FileUpload[]) => void) {
  const uploads = new Map<string, FileUpload>()
  let waiting: { key: string; onConflict: 'replace' | 'copy' | undefined; findFolder: FolderFinder }[] = []
  let current: { key: string; stop: AbortController } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastRead = 0
  let isRunning = false

  function showSoon(): void {
    timer ??= setTimeout(showNow, SHOWN_EVERY_MS)
  }
  function showNow(): void {
    clearTimeout(timer)
    timer = undefined
    show([...uploads.values()])
  }
  function change(key: string, next: Partial<FileUpload>): void {
    const upload = uploads.get(key)
    if (upload) uploads.set(key, { ...upload, ...next })
    showSoon()
  }
  async function sendNext(): Promise<void> {
    const next = waiting.shift()
    const upload = next && uploads.get(next.key)
    if (!next || !upload) return
    const { key, onConflict, findFolder } = next
    const stop = new AbortController()
    current = { key, stop }
    try {
      const into = await findFolder(upload.folders)
      const query = { fileName: upload.file.name, ...(onConflict && { onConflict }) }
      const url = urlOf(uploadFile, [into], query)
      const response = await sendFile(url, upload.file, stop.signal, (sent) => change(key, { sent }))
      change(key, { sent: 1, result: (response as { upload: Upload }).upload })
    } catch (error) {
      change(key, stop.signal.aborted ? { isCancelled: true } : { problem: errorMessage(error) })
    }
    current = undefined
  }
  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    while (waiting.length > 0) {
      await sendNext()
      const now = Date.now()
      if (waiting.length > 0 && now - lastRead < READ_AGAIN_EVERY_MS) continue
      lastRead = now
      // Files that follow do not wait for it.
      const read = queue.readAgain()
      if (waiting.length === 0) await read
    }
    isRunning = false
    showNow()
  }

  const queue = {
    readAgain: async () => {},
    send(folderId: string, added: readonly FileUpload[], onConflict?: 'replace' | 'copy') {
      const findFolder = createFolderFinder(folderId)
      for (const upload of added) uploads.set(upload.key, upload)
      waiting.push(...added.map(({ key }) => ({ key, onConflict, findFolder })))
      showNow()
      void run()
    },
    cancel() {
      for (const { key } of waiting) change(key, { isCancelled: true })
      waiting = []
      current?.stop.abort()
      showNow()
    },
    dismiss(dismissed: readonly FileUpload[]) {
      for (const { key } of dismissed) uploads.delete(key)
      showNow()
    },
  }
  return queue
}

/** Files that are dropped anywhere on the page are uploaded into a folder; for viewers they are refused. */
export function useFolderDrop(
  uploads: Uploads,
  { mayEdit, name = 'this folder' }: { mayEdit: boolean; name: string | undefined },
): void {
  async function take(data: DataTransfer): Promise<void> {
    try {
      const { accepted, refusal } = sortDropped(await readDropped(data))
      if (refusal) notifyText(refusal)
      uploads.add(accepted)
    } catch {
      notifyText('The dropped files cannot be read.')
    }
  }
  useFileDrop(
    mayEdit
      ? { hint: `Drop definitions and models to import them into “${name}”`, take: (data) => void take(data) }
      : { refusal: 'As a viewer of this team you cannot import files.' },
  )
}

/** The id of the folder at a path, which is created where it is missing. */
type FolderFinder = (names: readonly string[]) => Promise<string>

function createFolderFinder(rootId: string): FolderFinder {
  const known = new Map<string, Promise<string>>()
  const find: FolderFinder = (names) => {
    if (names.length === 0) return Promise.resolve(rootId)
    const key = names.join('/')
    const found = known.get(key) ?? findOrCreate(names)
    known.set(key, found)
    return found
  }
  async function findOrCreate(names: readonly string[]): Promise<string> {
    const name = names.at(-1)!
    const params = [await find(names.slice(0, -1))]
    const parent = (await call(readAppFolder, { params })).folder
    const there = parent.folders.find((folder) => folder.name === name)
    return there?.id ?? (await call(createAppFolder, { params, body: { name } })).folder.id
  }
  return find
}

/**
 * Sends a file and reports the progress, from 0 to 1. An XMLHttpRequest, because `fetch` does not report the progress of
 * an upload. Throws an {@link ApiError}.
 */
function sendFile(
  url: string,
  file: Blob,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.responseType = 'json'
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.onload = () => {
      const message = request.response?.error ?? `The server answered with ${request.status}.`
      if (request.status < 300) resolve(request.response)
      else reject(new ApiError(request.status, message))
    }
    request.onabort = () => reject(new ApiError(0, 'The upload was cancelled.'))
    signal.addEventListener('abort', () => request.abort())
    request.onerror = () => reject(new ApiError(0, 'The upload was interrupted. Try again.'))
    request.send(file)
  })
}
