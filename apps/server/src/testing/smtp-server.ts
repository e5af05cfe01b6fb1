import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { atEnd, type TestScope } from './at-end.ts'

/** A mail as a mail program reads it. */
export interface ReceivedMail extends Email {
  /** The addresses that the server was told, not those of the headers. */
  recipients: string[]
  /** As it came. */
  raw: string
}

/** A real mail server on this machine, until the test is over. */
export interface TestSmtpServer {
  /** For MEADOW_SMTP_URL. */
  url: string
  /** What it took, in this order. */
  mails: readonly ReceivedMail[]
  /** Resolves to the first mails when there are so many. */
  received(count: number): Promise<readonly ReceivedMail[]>
}

/** What a test wants otherwise; `onMail` is called before a mail counts as taken. */
export interface TestSmtpOptions extends SMTPServerOptions {
  onMail?: (mail: ReceivedMail) => void | Promise<void>
}

export async function startSmtpServer(
  t: TestScope,
  { onMail, ...options }: TestSmtpOptions = {},
): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const server = new SMTPServer({
    authOptional: true,
    // Its own certificate is signed by nobody.
    disabledCommands: ['STARTTLS'],
    logger: false,
    async onData(stream, { envelope }, done) {
      try {
        const raw = Buffer.concat(await stream.toArray()).toString()
        const recipients = envelope.rcptTo.map(({ address }) => address)
        const mail = { ...(await PostalMime.parse(raw)), recipients, raw }
        await onMail?.(mail)
        mails.push(mail)
        for (const { count, resolve } of waiting) if (mails.length >= count) resolve()
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    ...options,
  })
  // A client that leaves is no fault of the server.
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  atEnd(t, () => new Promise((resolve) => server.close(() => resolve())))
  const { port } = listener.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async received(count) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ count, resolve })
      if (mails.length >= count) resolve()
      await promise
      return mails
    },
  }
}

/** The variables of a service that sends its mails there. */
export const mailVariables = ({ url }: Pick<TestSmtpServer, 'url'>): Record<string, string> => ({
  MEADOW_SMTP_URL: url,
  MEADOW_MAIL_FROM: 'Meadow <meadow@example.org>',
  MEADOW_BASE_URL: 'https://meadow.example.org',
})
