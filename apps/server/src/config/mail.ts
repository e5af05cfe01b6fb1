import type { MailServer } from '../features/mail/smtp.ts'
import type { Kind } from './kinds.ts'
import type { ValuesOf, Variable } from './read-variables.ts'

/** Where mails are taken, before the sender is known. */
type SmtpAddress = Omit<MailServer, 'from'>

const DEFAULT_PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 }
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

const smtpAddress: Kind<SmtpAddress> = {
  accepts:
    'an address such as smtps://user:password@mail.example.org or smtp://mail.example.org:587, with special letters of ' +
    'user and password as %XX, and nothing behind the port but ?starttls=optional',
  read(text) {
    const url = URL.parse(text)
    const port = url && DEFAULT_PORTS[url.protocol]
    const isOptional = url?.search === '?starttls=optional'
    if (!url || !port || url.hostname === '' || !['', '/'].includes(url.pathname) || url.hash)
      return undefined
    if ((url.search !== '' && !isOptional) || (url.username === '') !== (url.password === ''))
      return undefined
    const [user, pass] = [decode(url.username), decode(url.password)]
    if (user === undefined || pass === undefined) return undefined
    return {
      host: url.hostname.replace(/^\[(.+)\]$/, '$1'),
      port: Number(url.port) || port,
      isSecure: url.protocol === 'smtps:',
      requiresTls: url.protocol === 'smtp:' && !isOptional && !LOOPBACK.test(url.hostname),
      login: user === '' ? undefined : { user, pass },
    }
  },
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** `Meadow <meadow@example.org>`, or the address alone. */
const sender: Kind<MailServer['from']> = {
  accepts: 'an e-mail address such as meadow@example.org or "Meadow <meadow@example.org>"',
  read(text) {
    const [, named, inside, alone] =
      /^\s*(?:([^<>"\p{Cc}]*)<([^<>\s@]+@[^<>\s@]+)>|([^<>\s@]+@[^<>\s@]+))\s*$/u.exec(text) ?? []
    const address = inside ?? alone
    return address === undefined ? undefined : { name: named?.trim() || 'Meadow', address }
  },
}

/** The variables about mail. */
export const MAIL_VARIABLES = {
  MEADOW_SMTP_URL: {
    is: smtpAddress,
    secret: true,
    says:
      'The mail server that takes the mails of this service: `smtps://` with TLS from the beginning (port 465), `smtp://` ' +
      'with STARTTLS (port 587), which is required unless the server is on this machine or `?starttls=optional` says ' +
      'otherwise. Needs MEADOW_MAIL_FROM and MEADOW_BASE_URL. When not set, no mails are sent, and links are copied.',
  },
  MEADOW_MAIL_FROM: { is: sender, says: 'Who mails are from, as the mail server allows it.' },
} as const satisfies Record<string, Variable>

/** The variables of a mail server: all of them or none have to be set. */
export function readMailServer(
  {
    MEADOW_SMTP_URL: smtp,
    MEADOW_MAIL_FROM: from,
    MEADOW_BASE_URL: baseUrl,
  }: ValuesOf<typeof MAIL_VARIABLES> & { MEADOW_BASE_URL: string | undefined },
  mistakes: string[],
): MailServer | undefined {
  const missing = (name: string, because: string) =>
    mistakes.push(`${name} must be set, since ${because} is.`)
  if (from && !smtp) missing('MEADOW_SMTP_URL', 'MEADOW_MAIL_FROM')
  if (smtp && !from) missing('MEADOW_MAIL_FROM', 'MEADOW_SMTP_URL')
  // Otherwise whoever asks for a mail could decide where its link leads.
  if (smtp && baseUrl === undefined) missing('MEADOW_BASE_URL', 'MEADOW_SMTP_URL')
  return smtp && from && { ...smtp, from }
}
