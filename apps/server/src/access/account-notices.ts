import type { UserId } from '@meadow/contract'
import type { Write } from '../platform/database/database.ts'
import { queueNotice } from '../platform/mail/outbox.ts'

const NOT_YOU = 'If this was not you, ask for a new password at once, and tell the operator of this service.'

/** Tells a user that their password was changed, in the transaction that changes it. */
export const tellOfNewPassword = (write: Write, user: UserId): Promise<void> =>
  queueNotice(write, user, {
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your Meadow account was changed. Other sessions of yours have ended.',
      NOT_YOU,
    ],
    link: { label: 'Ask for a new password', path: '/forgot-password' },
  })
