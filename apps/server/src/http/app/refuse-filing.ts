import { APP_ERRORS, type AppErrorCode } from '@meadow/contract/web'
import { QuotaError } from '../../catalogue/quotas.ts'
import { FilingError } from '../../team-writes/folder-path.ts'
import { HttpError } from '../http-error.ts'

const CODES = { inside_itself: 'folder_inside_itself', too_deep: 'folders_too_deep' } as const

/** What `catch` of a change does: why something cannot be put somewhere becomes a refusal; `gone` that of its kind. */
export const refuseFiling =
  (gone: AppErrorCode) =>
  (error: unknown): never => {
    if (error instanceof QuotaError) {
      const { sentence } = APP_ERRORS.quota_reached
      throw new HttpError('quota_reached', {
        sentence: `${sentence} It is full: ${error.message}.`,
        cause: error,
      })
    }
    if (!(error instanceof FilingError)) throw error
    throw new HttpError(error.code === 'gone' ? gone : CODES[error.code], { cause: error })
  }
