import { APP_ERRORS, type AppErrorCode } from '@meadow/contract/web/terms'
import { FilingError } from '../../team/folders.ts'
import { QuotaError } from '../../team/quotas.ts'
import { HttpError } from '../http-error.ts'

const CODES = { inside_itself: 'folder_inside_itself', too_deep: 'folders_too_deep' } as const

/**
 * Returns a function for the `catch` of a change, which rethrows the error of a quota, or of a folder that cannot take
 * an item, as an `HttpError`. `deletedCode` is the code for an item that was deleted in the meantime.
 */
export const rethrowFilingError =
  (deletedCode: AppErrorCode) =>
  (error: unknown): never => {
    if (error instanceof QuotaError) {
      const { sentence } = APP_ERRORS.quota_reached
      throw new HttpError('quota_reached', {
        sentence: `${sentence} It is full: ${error.message}.`,
        cause: error,
      })
    }
    if (!(error instanceof FilingError)) throw error
    throw new HttpError(error.code === 'gone' ? deletedCode : CODES[error.code], { cause: error })
  }
