import type { TestScope } from './at-end.ts'
import type { TestDatabase } from './databases.ts'
import { mailVariables, startSmtpServer } from './smtp-server.ts'
import { startWebApp } from './start-web-app.ts'
import { until } from './until.ts'

/** A service that sends mails, whose links are those of the tests. */
export async function startWithMail(t: TestScope, kind?: TestDatabase) {
  const smtp = await startSmtpServer(t)
  const variables = { ...mailVariables(smtp), MEADOW_BASE_URL: 'http://meadow.example.org' }
  const app = await startWebApp(t, kind, variables)
  const { database } = app
  /** Waits until no mail is left to be sent. */
  const settled = () =>
    until('all mails are settled', async () => {
      const waiting = await database.read
        .selectFrom('mail')
        .where('state', '=', 'waiting')
        .select('id')
        .execute()
      return waiting.length === 0
    })
  /** The mails that came since the last call. */
  let seen = 0
  const newMails = async () => {
    await settled()
    const mails = smtp.mails.slice(seen)
    seen = smtp.mails.length
    return mails
  }
  return { ...app, smtp, newMails }
}

/** The secret of the link to a page in a mail. */
export const secretIn = (text: string | undefined, page: string) =>
  new RegExp(`http://meadow\\.example\\.org/${page}#(md\\w+)`).exec(text ?? '')![1]!
