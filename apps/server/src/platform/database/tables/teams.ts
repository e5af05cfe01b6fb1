import type { InvitationId, MemberRole, TeamId, Unit, UserId } from '@meadow/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Key, Leased, Milliseconds, TeamKey } from './column-types.ts'

/** The tables of `schema/teams.sql`. */
export interface TeamsTables {
  team: TeamTable
  user: UserTable
  session: SessionTable
  account: AccountTable
  second_factor: SecondFactorTable
  recovery_code: RecoveryCodeTable
  spent_challenge: SpentChallengeTable
  membership: MembershipTable
  invitation: InvitationTable
  failed_attempt: FailedAttemptTable
  one_time_link: OneTimeLinkTable
  mail: MailTable
  team_deletion: TeamDeletionTable
}

/** `compute`: a Rhino.Compute server solves the nodes that Meadow cannot. */
export type TeamSolver = 'meadow' | 'compute'

export interface TeamTable {
  id: Key<TeamKey>
  public_id: TeamId
  name: string
  /** The host name of this team only (decision 3): lower case, without a port. */
  host: string | null
  /** The credits that the team has left, in tenths of a credit (decision 44). */
  credit_tenths: number
  /** Raised with every change of the team's folders, documents, solves or tokens, in the same transaction. */
  version: Generated<number>
  created_at: Milliseconds
  /**
   * The latest `updated_at` that was given to a document: the next one is later, also when the clock was set back
   * (decision 43).
   */
  changed_at: Generated<Milliseconds>
  /** The number of documents, including those in the bin. Triggers update it, like `stored_bytes`. */
  document_count: Generated<number>
  /** The sum of its documents' `source_size` and `content_bytes`, and of its other files' `source_size`. */
  stored_bytes: Generated<number>
  /** The limits of documents and of stored bytes; null for no limit. */
  max_documents: Generated<number | null>
  max_bytes: Generated<number | null>
  /** What solves the nodes of the team's documents that Meadow cannot solve. */
  solver: Generated<TeamSolver>
  /** The unit of lengths in the team's definitions, which do not declare one. */
  units: Generated<Unit>
  /** 1 when members without a second factor see nothing of the team. */
  requires_second_factor: Generated<0 | 1>
  /** When the deletion of the team was requested; null when it was not. */
  deleted_at: Generated<Milliseconds | null>
  /** Whether documents of the team may be public. */
  public_documents: Generated<0 | 1>
  /** For how many days a document is public at most, and by default; null for no end. */
  public_days: Generated<number | null>
  // What limits its API tokens. Null stands for no limit.
  /** The longest life of a token in days. */
  token_longest_days: Generated<number | null>
  /** The scopes that tokens may have, in the form of `token.scopes`. */
  token_scopes: Generated<string | null>
  /** The networks that tokens may work from, in the form of `token.addresses`. */
  token_addresses: Generated<string | null>
  // For how many days all versions are kept, then the last of each day, then of each week; null for ever.
  versions_all_days: Generated<number | null>
  versions_daily_days: Generated<number | null>
  versions_weekly_days: Generated<number | null>
  /** The version up to which the change feed has forgotten departures: older cursors are too old. */
  changes_from: Generated<number>
}

type SignInTime = ColumnType<string | Date, string, string>

/**
 * A person. The names in this table, `session` and `account` are those of better-auth, and times are of the database's
 * own type (PostgreSQL) or ISO text (SQLite). ISO text is valid for both (0015).
 */
export interface UserTable {
  id: UserId
  name: string
  /** The e-mail address in lower case. */
  email: string
  emailVerified: ColumnType<unknown, 0 | 1, 0 | 1>
  image: string | null
  /** 0 when the person gets no mail about comments that mention them. */
  mention_mails: Generated<0 | 1>
  createdAt: SignInTime
  updatedAt: SignInTime
}

/** A browser or agent that is signed in. */
export interface SessionTable {
  id: string
  expiresAt: SignInTime
  /** The token in the signed cookie. */
  token: string
  createdAt: SignInTime
  updatedAt: SignInTime
  ipAddress: string | null
  userAgent: string | null
  userId: UserId
  /** When the person last proved who they are after signing in; null when they have not. */
  provedAt: Milliseconds | null
  /** When a second factor was given in this session; null when none was. */
  factorAt: Milliseconds | null
}

/** A way in which a person signs in: with a password here, or through another service. */
export interface AccountTable {
  id: string
  /** The person's id at the service; with a password, the user's own id. */
  accountId: string
  /** The service; `credential` stands for a password. */
  providerId: string
  userId: UserId
  /** The hash of the password; null when the person signs in through the service. */
  password: string | null
  createdAt: SignInTime
  updatedAt: SignInTime
}

/** Something that a person signs in with beside or in place of their password. */
export interface SecondFactorTable {
  id: string
  user_id: UserId
  /** The kind; `totp` stands for codes of an authenticator app, of which a person has at most one. */
  kind: 'totp' | 'passkey'
  name: string
  created_at: Milliseconds
  used_at: Milliseconds | null
  /** The secret of codes, encrypted. */
  secret: string | null
  /** The number of the latest interval whose code was used. Codes of older intervals are not accepted any more. */
  last_step: number | null
  /** The columns from here on are those of a passkey. */
  credential_id: string | null
  /** The host name that the passkey was made for. Browsers offer it only there. */
  relying_party: string | null
  public_key: Uint8Array | null
  /** How often the passkey was used, as its authenticator counts; 0 when it does not count. */
  counter: number | null
  /** How browsers can reach the authenticator, as JSON. */
  transports: string | null
}

/** A recovery code that was not used yet. */
export interface RecoveryCodeTable {
  user_id: UserId
  /** The SHA-256 of the random bits of the code. */
  hash: Uint8Array
}

/** A challenge that a passkey has answered: it is not accepted again while it is valid. */
export interface SpentChallengeTable {
  hash: Uint8Array
  until: Milliseconds
}

/** A user in a team. */
export interface MembershipTable {
  team_id: TeamKey
  user_id: UserId
  role: MemberRole
  created_at: Milliseconds
  /**
   * 1 when a rule about the OpenID provider gave the role (0076), 0 when a person, an invitation or the operator did.
   */
  by_provider: Generated<0 | 1>
  /** The lower role that was given by hand, to which a role that a rule gave falls back; null when there is none. */
  own_role: Generated<MemberRole | null>
}

/** An open invitation: it works once, and its row is deleted then. */
export interface InvitationTable {
  id: Key<number>
  public_id: InvitationId
  team_id: TeamKey
  role: MemberRole
  note: string
  /** SHA-256 of the secret, which itself is not stored. */
  hash: Uint8Array
  created_at: Milliseconds
  created_by: UserId
  expires_at: Milliseconds
  /** The address that the invitation was mailed to; nobody but its holder has seen the link then. */
  email: Generated<string | null>
}

/** The number of attempts of a kind that failed within the last quarter of an hour. */
export interface FailedAttemptTable {
  /** SHA-256 of the rate-limit key. */
  hash: Uint8Array
  count: number
  until: Milliseconds
}

export type OneTimeLinkPurpose = 'confirm' | 'reset'

/** A link that works once, for the holder of an address. */
export interface OneTimeLinkTable {
  /** SHA-256 of the secret, which itself is not stored. */
  hash: Uint8Array
  purpose: OneTimeLinkPurpose
  user_id: UserId
  /** The address that the link was sent to; for `confirm`, it becomes the user's. */
  email: string
  expires_at: Milliseconds
}

/**
 * The kind of a mail. A notice is stored as it will be read. Mails of the other kinds have a link with a secret: they
 * are written, and their secrets made, when they are sent, so that no secret is in the table.
 */
export type MailKind = 'notice' | 'confirm' | 'reset' | 'invitation'

/** The state of a mail; `dropped` means that there was nothing to say any more when it was its turn. */
export type MailState = 'waiting' | 'sent' | 'failed' | 'dropped'

/** A mail that is to be sent, or was sent or given up a few days ago. */
export interface MailTable extends Leased {
  id: Key<number>
  kind: MailKind
  recipient: string
  /** The id of the user or invitation that a link is for; null when the recipient is sufficient. */
  about: string | null
  /** The subject of a notice. */
  subject: string | null
  /** The paragraphs and the link of a notice as JSON; null when it is no longer needed. */
  body: string | null
  state: MailState
  created_at: Milliseconds
  /** When the mail is given up. */
  expires_at: Milliseconds
  /** When the mail may be tried next, by the clock of the database. */
  next_at: Milliseconds
  attempts: number
  ended_at: Milliseconds | null
  /** Why the last attempt failed. */
  reason: string | null
}

/** The deletion of a team, which outlives the team. It says nothing of the team but its id. */
export interface TeamDeletionTable {
  public_id: TeamId
  asked_at: Milliseconds
  /** Until when the team can be restored. */
  purge_at: Milliseconds
  /** When the purge began, from which on the team cannot be restored; null before. */
  begun_at: Milliseconds | null
  ended_at: Milliseconds | null
  /** The JSON of the numbers of rows that were purged so far, by table. */
  counts: Generated<string>
}
