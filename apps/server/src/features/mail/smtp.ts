import type { Transporter } from 'nodemailer'
import { findSystemReason, reasonOf } from '../../platform/system-errors.ts'

/** The mail server that takes mails, and who they are from. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. Otherwise the connection becomes encrypted (STARTTLS), */
  readonly isSecure: boolean
  /** and is given up if that is not possible. */
  readonly requiresTls: boolean
  readonly login: { readonly user: string; readonly pass: string } | undefined
  readonly from: { readonly name: string; readonly address: string }
}

export interface MailMessage {
  to: string
  subject: string
  text: string
  html: string
  /** A unique id, which stays the same when the mail is sent again, so that servers and readers recognise that. */
  id: string
}

/** A connection to the mail server, opened when it is needed. */
export interface Smtp {
  /** Resolves when the server has taken responsibility for the mail. Throws a {@link MailError}. */
  send(message: MailMessage, signal?: AbortSignal): Promise<void>
  /** Connects and signs in. Throws a {@link MailError}. */
  verify(): Promise<void>
  close(): void
}

/** Why a mail was not sent; its message is for the operator, and has no secrets. */
export class MailError extends Error {
  /**
   * `rejected`: the server does not want this mail. `postponed`: not now. `outage`: the server cannot be used, for
   * this mail or another.
   */
  readonly kind: 'rejected' | 'postponed' | 'outage'
  constructor(kind: MailError['kind'], message: string, cause: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

const CONNECT_MS = 15_000
const SILENCE_MS = 30_000

/** Nodemailer is loaded here, since most commands and servers without mail do without it. */
export async function openSmtp(server: MailServer): Promise<Smtp> {
  const { createTransport } = await import('nodemailer')
  const transport: Transporter = createTransport({
    host: server.host,
    port: server.port,
    secure: server.isSecure,
    requireTLS: server.requiresTls,
    ...(server.login && { auth: server.login }),
    pool: true,
    maxConnections: 1,
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, id, ...content }, signal) {
      try {
        await transport.sendMail({
          ...content,
          // Never as text, which would be parsed as a list of addresses.
          from: server.from,
          to: { name: '', address: to },
          messageId: `<${id}@${server.from.address.split('@')[1]}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          ...(signal && { signal }),
        })
      } catch (error) {
        throw toMailError(error)
      }
    },
    async verify() {
      try {
        await transport.verify()
      } catch (error) {
        throw toMailError(error)
      }
    },
    close: () => transport.close(),
  }
}

/** What nodemailer adds to its errors. */
interface SmtpFailure {
  code?: string
  originalCode?: string
  command?: string
  response?: string
  responseCode?: number
  permanent?: boolean
}

/** The commands whose answers are about one mail. */
const OF_ONE_MAIL = /^(RCPT TO|DATA)/

function toMailError(error: unknown): MailError {
  const { code, command = '', response, responseCode, permanent } = error as SmtpFailure
  const isOfMail = OF_ONE_MAIL.test(command) && responseCode !== undefined && responseCode !== 421
  const kind = isOfMail ? (permanent ? 'rejected' : 'postponed') : 'outage'
  return new MailError(kind, describe(error, code, response), error)
}

const MAX_RESPONSE_LENGTH = 300

function describe(error: unknown, code: string | undefined, response: string | undefined): string {
  const said = response === undefined ? '' : response.replaceAll(/\s+/g, ' ').slice(0, MAX_RESPONSE_LENGTH)
  if (code === 'EAUTH') return `the mail server does not accept the user name and password: ${said}`
  if (said !== '') return `the mail server answered: ${said}`
  const { originalCode } = error as SmtpFailure
  const reason = originalCode && findSystemReason(Object.assign(new Error(), { code: originalCode }))
  return reason || reasonOf(error)
}
