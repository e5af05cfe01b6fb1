import { type Upload, uploadFile } from '@meadow/contract/web'
import { useState } from 'react'
import { ApiError, errorMessage, urlOf } from '../api/call.ts'
import { useFolderChange } from './folder-changes.ts'

/** A file that is being uploaded, or was. */
export interface FileUpload {
  readonly key: string
  readonly file: File
  /** The fraction of its bytes that is sent, from 0 to 1. */
  readonly sent: number
  readonly result: Upload | undefined
  readonly problem: string | undefined
}

export interface Uploads {
  readonly list: readonly FileUpload[]
  add(files: readonly File[]): void
  /** Sends a file again after a conflict or a failure. */
  again(upload: FileUpload, onConflict?: 'replace' | 'copy'): void
  dismiss(upload: FileUpload): void
}

/** Uploads files into a folder, one after the other in the order of {@link Uploads.add}. */
export function useUploads(folderId: string): Uploads {
  const [list, setList] = useState<readonly FileUpload[]>([])
  const change = (key: string, next: Partial<FileUpload>) =>
    setList((uploads) => uploads.map((upload) => (upload.key === key ? { ...upload, ...next } : upload)))
  const send = useFolderChange(async ({ key, file, onConflict }: SendInput) => {
    const query = { fileName: file.name, ...(onConflict && { onConflict }) }
    try {
      const response = await sendFile(urlOf(uploadFile, [folderId], query), file, (sent) =>
        change(key, { sent }),
      )
      change(key, { sent: 1, result: (response as { upload: Upload }).upload })
    } catch (error) {
      change(key, { problem: errorMessage(error) })
    }
  })
  const sendAll = async (inputs: readonly SendInput[]) => {
    for (const input of inputs) await send.mutateAsync(input)
  }
  return {
    list,
    add(files) {
      const added = files.map((file) => ({ ...NOTHING_SENT, key: crypto.randomUUID(), file }))
      setList((uploads) => [...uploads, ...added])
      void sendAll(added)
    },
    again(upload, onConflict) {
      change(upload.key, NOTHING_SENT)
      void sendAll([{ ...upload, ...(onConflict && { onConflict }) }])
    },
    dismiss: ({ key }) => setList((uploads) => uploads.filter((upload) => upload.key !== key)),
  }
}

type SendInput = Pick<FileUpload, 'key' | 'file'> & { onConflict?: 'replace' | 'copy' }

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
    request.onerror = () => reject(new ApiError(0, 'The upload broke off. Try again.'))
    request.send(file)
  })
}
