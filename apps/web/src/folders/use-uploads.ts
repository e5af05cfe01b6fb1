import { createAppFolder, readAppFolder, type Upload, uploadFile } from '@meadow/contract/web'
import { useState } from 'react'
import { ApiError, call, errorMessage, urlOf } from '../api/call.ts'
import { useFileDrop } from '../shell/file-drops.tsx'
import { notifyText } from '../shell/notices.tsx'
import { type DroppedFile, readDropped, sortDropped } from './dropped-files.ts'
import { useFolderChange } from './folder-changes.ts'

/** A file that is being uploaded, or was. */
export interface FileUpload extends DroppedFile {
  readonly key: string
  /** The fraction of its bytes that is sent, from 0 to 1. */
  readonly sent: number
  readonly result: Upload | undefined
  readonly problem: string | undefined
}

export interface Uploads {
  readonly folderId: string
  readonly list: readonly FileUpload[]
  /** Files of dropped folders go into folders of the same names, as in an import. */
  add(files: readonly DroppedFile[]): void
  /** Sends a file again after a conflict or a failure. */
  again(upload: FileUpload, onConflict?: 'replace' | 'copy'): void
  /** Takes uploads off the list. */
  dismiss(uploads: readonly FileUpload[]): void
}

/** Uploads files into a folder, one after the other in the order of {@link Uploads.add}. */
export function useUploads(folderId: string): Uploads {
  const [list, setList] = useState<readonly FileUpload[]>([])
  const change = (key: string, next: Partial<FileUpload>) =>
    setList((uploads) => uploads.map((upload) => (upload.key === key ? { ...upload, ...next } : upload)))
  const send = useFolderChange(async ({ key, file, folders, onConflict, findFolder }: SendInput) => {
    const query = { fileName: file.name, ...(onConflict && { onConflict }) }
    try {
      const into = await findFolder(folders)
      const response = await sendFile(urlOf(uploadFile, [into], query), file, (sent) => change(key, { sent }))
      change(key, { sent: 1, result: (response as { upload: Upload }).upload })
    } catch (error) {
      change(key, { problem: errorMessage(error) })
    }
  })
  const sendAll = async (inputs: readonly Omit<SendInput, 'findFolder'>[]) => {
    const findFolder = createFolderFinder(folderId)
    for (const input of inputs) await send.mutateAsync({ ...input, findFolder })
  }
  return {
    folderId,
    list,
    add(files) {
      const added = files.map((file) => ({ ...NOTHING_SENT, ...file, key: crypto.randomUUID() }))
      setList((uploads) => [...uploads, ...added])
      void sendAll(added)
    },
    again(upload, onConflict) {
      change(upload.key, NOTHING_SENT)
      void sendAll([{ ...upload, ...(onConflict && { onConflict }) }])
    },
    dismiss(dismissed) {
      const keys = new Set(dismissed.map(({ key }) => key))
      setList((uploads) => uploads.filter(({ key }) => !keys.has(key)))
    },
  }
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

type SendInput = Pick<FileUpload, 'key' | 'file' | 'folders'> & {
  onConflict?: 'replace' | 'copy'
  findFolder: FolderFinder
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

const NOTHING_SENT = { sent: 0, result: undefined, problem: undefined }

/**
 * Sends a file and reports the progress, from 0 to 1. An XMLHttpRequest, because `fetch` does not report the progress of
 * an upload. Throws an {@link ApiError}.
 */
function sendFile(url: string, file: Blob, onProgress: (sent: number) => void): Promise<unknown> {
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
    request.onerror = () => reject(new ApiError(0, 'The upload was interrupted. Try again.'))
    request.send(file)
  })
}
