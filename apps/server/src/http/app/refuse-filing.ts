import { APP_REFUSALS, type AppRefusalCode } from '@meadow/contract/web'
import { QuotaError } from '../../catalogue/quotas.ts'
import { FilingError } from '../../catalogue/team-change.ts'
import { refuse } from '../refusal.ts'

const CODES = { inside_itself: 'folder_inside_itself', too_deep: 'folders_too_deep' } as const

/** What `catch` of a change does: why something cannot be put somewhere becomes a refusal; `gone` that of its kind. */
export const refuseFiling =
  (gone: AppRefusalCode) =>
  (error: unknown): never => {
    if (error instanceof QuotaError) {
      const { sentence } = APP_REFUSALS.quota_reached
      throw refuse('quota_reached', { sentence: `${sentence} It is full: ${error.message}.`, cause: error })
    }
    if (!(error instanceof FilingError)) throw error
    throw refuse(error.code === 'gone' ? gone : CODES[error.code], { cause: error })
  }
