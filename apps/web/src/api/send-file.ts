import { ApiError } from './api-error.ts'

/** Sends a file and tells how far it is, from 0 to 1: `fetch` tells nobody. Throws a {@link ApiError}. */
export function sendFile(address: string, file: Blob, onProgress: (share: number) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', address)
    request.responseType = 'json'
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.onload = () => {
      const sentence = request.response?.error ?? `The server answered with ${request.status}.`
      if (request.status < 300) resolve(request.response)
      else reject(new ApiError(request.status, sentence))
    }
    request.onerror = () => reject(new ApiError(0, 'The upload broke off. Try again.'))
    request.send(file)
  })
}
