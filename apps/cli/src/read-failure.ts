import { ApiError, ERROR_CLASSES } from '@meadow/client'

/** Returns the error for the answer to a raw request, with the sentence of the service. */
export async function readFailure(response: Response, url: string): Promise<ApiError> {
  const { status, headers } = response
  const message = readSentence(await response.text()) ?? `The answer of ${url} has the status ${status}.`
  const Class = ERROR_CLASSES[status] ?? ApiError
  return new Class({ status, url, message, requestId: headers.get('x-request-id') ?? undefined })
}

function readSentence(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body)
    return typeof error === 'string' ? error : undefined
  } catch {
    return undefined
  }
}
