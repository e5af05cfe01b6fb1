import { createAppFolder, readAppFolder, type Upload, uploadFile } from '@meadow/contract/web'
import { useSyncExternalStore } from 'react'
import { ApiError, call, errorMessage, urlOf } from '../api/call.ts'
import { type DroppedFile, readDropped, sortDropped } from './dropped-files.ts'
import { useFileDrop } from './file-drops.tsx'
import { notifyText } from './notices.tsx'

/** The folder into which somebody uploads files. */
export interface UploadTarget {
  readonly id: string
  readonly name: string
}

/** A file that is being uploaded, or was. */
export interface FileUpload extends DroppedFile {
  readonly key: string
  /** The folder that was open; a file of a dropped folder goes into a folder below it. */
  readonly target: UploadTarget
  /** The fraction of its bytes that is sent, from 0 to 1. */
  readonly sent: number
  readonly result: Upload | undefined
  readonly problem: string | undefined
  /** Whether the problem is of the file itself, so that it stays. */
  readonly isRefused: boolean
  /** Whether the user stopped the upload before the file was imported. */
  readonly isCancelled: boolean
}

/** How many files are sent at once, so that one arrives while another is read, and two windows have room for theirs. */
const AT_ONCE = 2

/** How the server answers to a file that it does not take, however often it is sent: not readable, or too large. */
const REFUSED = [400, 413, 415, 422]

/** How often the list is drawn again, in milliseconds. */
const SHOWN_EVERY_MS = 100

const NEW = { sent: 0, result: undefined, problem: undefined, isRefused: false, isCancelled: false }

const uploads = new Map<string, FileUpload>()
let lastKey = 0
let shown: readonly FileUpload[] = []
const listeners = new Set<() => void>()
let waiting: { key: string; onConflict: 'replace' | 'copy' | undefined; findFolder: FolderFinder }[] = []
/** One for each file that is being sent. */
const sending = new Set<AbortController>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Uploads files into a folder, with folders of the same names for those that were in dropped folders. */
export function addUploads(target: UploadTarget, files: readonly DroppedFile[]): void {
  // What an earlier batch imported would count as part of this one.
  if (sending.size === 0) for (const [key, { result }] of uploads) if (isImported(result)) uploads.delete(key)
  send(files.map((file) => ({ ...NEW, ...file, key: String(++lastKey), target })))
}

const isImported = (result: Upload | undefined) => result !== undefined && result.outcome !== 'conflict'

/** Sends files again after a conflict or a failure. */
export const uploadAgain = (again: readonly FileUpload[], onConflict?: 'replace' | 'copy'): void =>
  send(
    again.map((upload) => ({ ...upload, ...NEW })),
    onConflict,
  )

/** Stops the files that are being sent, and those that wait. */
export function cancelUploads(): void {
  for (const { key } of waiting) change(key, { isCancelled: true })
  waiting = []
  for (const stop of sending) stop.abort()
  showNow()
}

/** Takes uploads off the list. */
export function dismissUploads(dismissed: readonly FileUpload[]): void {
  for (const { key } of dismissed) uploads.delete(key)
  showNow()
}

/** Stops and forgets all uploads, for the next user of this window. */
export function forgetUploads(): void {
  cancelUploads()
  dismissUploads(shown)
}

/**
 * The uploads of this window, whichever page started them. The list changes at most ten times a second, however many
 * files there are and however fast they are sent.
 */
export const useUploads = (): readonly FileUpload[] => useSyncExternalStore(subscribe, () => shown)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function showNow(): void {
  clearTimeout(timer)
  timer = undefined
  shown = [...uploads.values()]
  for (const listener of listeners) listener()
}

function change(key: string, next: Partial<FileUpload>): void {
  const upload = uploads.get(key)
  if (upload) uploads.set(key, { ...upload, ...next })
  timer ??= setTimeout(showNow, SHOWN_EVERY_MS)
}

function send(added: readonly FileUpload[], onConflict?: 'replace' | 'copy'): void {
  const finders = new Map<string, FolderFinder>()
  for (const upload of added) {
    const { key, target } = upload
    const findFolder = finders.get(target.id) ?? createFolderFinder(target.id)
    finders.set(target.id, findFolder)
    uploads.set(key, upload)
    waiting.push({ key, onConflict, findFolder })
  }
  showNow()
  sendWaiting()
}

function sendWaiting(): void {
  while (sending.size < AT_ONCE && waiting.length > 0) void sendNext()
}

/** Sends the file that has waited longest. The next one takes its place. */
async function sendNext(): Promise<void> {
  const { key, onConflict, findFolder } = waiting.shift()!
  const stop = new AbortController()
  sending.add(stop)
  const upload = uploads.get(key)
  try {
    if (upload) {
      const query = { fileName: upload.file.name, ...(onConflict && { onConflict }) }
      const url = urlOf(uploadFile, [await findFolder(upload.folders)], query)
      const result = await sendFile(url, upload.file, stop.signal, (sent) => change(key, { sent }))
      change(key, { sent: 1, result })
    }
  } catch (error) {
    const isRefused = error instanceof ApiError && REFUSED.includes(error.status)
    change(key, stop.signal.aborted ? { isCancelled: true } : { problem: errorMessage(error), isRefused })
  }
  sending.delete(stop)
  sendWaiting()
  if (sending.size === 0) showNow()
}

/**
 * Uploads files that are dropped anywhere on the page into a folder. Without a folder they are refused, as for viewers.
 */
export function useFolderDrop(target: UploadTarget | undefined): void {
  async function take(target: UploadTarget, data: DataTransfer): Promise<void> {
    try {
      const { accepted, refusal } = sortDropped(await readDropped(data))
      if (refusal) notifyText(refusal)
      addUploads(target, accepted)
    } catch {
      notifyText('The dropped files cannot be read.')
    }
  }
  useFileDrop(
    target
      ? {
          hint: `Drop definitions and models to import them into “${target.name}”`,
          take: (data) => void take(target, data),
        }
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
    return alone(`meadow.folder.${params[0]}`, async () => {
      const parent = (await call(readAppFolder, { params })).folder
      const there = parent.folders.find((folder) => folder.name === name)
      return there?.id ?? (await call(createAppFolder, { params, body: { name } })).folder.id
    })
  }
  return find
}

/** Does something while no other window does what has the same name. Browsers have no locks without https. */
const alone = <T>(name: string, act: () => Promise<T>): Promise<T> =>
  isSecureContext ? navigator.locks.request(name, act) : act()

/**
 * Sends a file and reports the progress, from 0 to 1. Where the person sends as many files as may be sent at once, as from
 * another window, it is sent again as soon as the server says. Throws an {@link ApiError}.
 */
async function sendFile(
  url: string,
  file: Blob,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<Upload> {
  for (;;) {
    const request = await post(url, file, signal, onProgress)
    const { status, response } = request
    if (status < 300) return response.upload
    const seconds = request.getResponseHeader('retry-after') ?? ''
    if (status !== 429 || !/^\d+$/.test(seconds))
      throw new ApiError(status, response?.error ?? `The server answered with ${status}.`)
    onProgress(0)
    await new Promise((resolve) => {
      setTimeout(resolve, Number(seconds) * 1000)
      signal.addEventListener('abort', resolve)
    })
  }
}

/** An XMLHttpRequest, because `fetch` does not report the progress of an upload. */
function post(url: string, file: Blob, signal: AbortSignal, onProgress: (sent: number) => void) {
  return new Promise<XMLHttpRequest>((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.responseType = 'json'
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.onload = () => resolve(request)
    request.onabort = () => reject(new ApiError(0, 'The upload was cancelled.'))
    signal.addEventListener('abort', () => request.abort())
    request.onerror = () => reject(new ApiError(0, 'The upload was interrupted. Try again.'))
    request.send(file)
  })
}
