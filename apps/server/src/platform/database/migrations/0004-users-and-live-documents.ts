import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** People, what they may do, their sessions; and what live editing needs to know of a document. */
export const usersAndLiveDocuments: Migration = {
  name: 'users and live documents',
  async up(write, dialect) {
    for (const statement of [
      ...signIn(SIGN_IN[dialect]),
      ...members(TYPES[dialect]),
      ...live(TYPES[dialect]),
    ]) {
      await write.executeQuery(CompiledQuery.raw(statement))
    }
  },
}

interface SignInTypes {
  flag: string
  time: string
}

const SIGN_IN: Record<Dialect, SignInTypes> = {
  sqlite: { flag: 'integer', time: 'date' },
  postgres: { flag: 'boolean', time: 'timestamptz' },
}

/** The tables of better-auth 1.7, with its names and types, so that it signs people in over them as they are (0015). */
const signIn = ({ flag, time }: SignInTypes) => [
  `create table "user" (
    "id" text not null primary key,
    "name" text not null,
    "email" text not null unique,
    "emailVerified" ${flag} not null,
    "image" text,
    "createdAt" ${time} not null default current_timestamp,
    "updatedAt" ${time} not null default current_timestamp
  )`,

  `create table "session" (
    "id" text not null primary key,
    "expiresAt" ${time} not null,
    "token" text not null unique,
    "createdAt" ${time} not null default current_timestamp,
    "updatedAt" ${time} not null,
    "ipAddress" text,
    "userAgent" text,
    "userId" text not null references "user" ("id") on delete cascade
  )`,
  'create index "session_userId_idx" on "session" ("userId")',

  `create table "account" (
    "id" text not null primary key,
    "accountId" text not null,
    "providerId" text not null,
    "userId" text not null references "user" ("id") on delete cascade,
    "accessToken" text,
    "refreshToken" text,
    "idToken" text,
    "accessTokenExpiresAt" ${time},
    "refreshTokenExpiresAt" ${time},
    "scope" text,
    "password" text,
    "createdAt" ${time} not null default current_timestamp,
    "updatedAt" ${time} not null
  )`,
  'create index "account_userId_idx" on "account" ("userId")',

  `create table "verification" (
    "id" text not null primary key,
    "identifier" text not null,
    "value" text not null,
    "expiresAt" ${time} not null,
    "createdAt" ${time} not null default current_timestamp,
    "updatedAt" ${time} not null default current_timestamp
  )`,
  'create index "verification_identifier_idx" on "verification" ("identifier")',
]

interface Types {
  /** Integers beyond 32 bits. */
  long: string
  /** Compared by code point, whatever the database's language. */
  text: string
  /** What ends a table. */
  options: string
}

const TYPES: Record<Dialect, Types> = {
  sqlite: { long: 'integer', text: 'text', options: 'strict' },
  postgres: { long: 'bigint', text: 'text collate "C"', options: '' },
}

const members = ({ long, text, options }: Types) => [
  `create table membership (
    team_id integer not null references team on delete cascade,
    user_id text not null references "user" ("id") on delete cascade,
    role ${text} not null check (role in ('owner', 'member', 'viewer')),
    created_at ${long} not null,
    primary key (team_id, user_id)
  ) ${options}`,
  'create index membership_user on membership (user_id)',
]

const live = ({ long, options }: Types) => [
  // Documents could not be edited until now, so every document is as its last import left it.
  `alter table document add column source_seq integer`,
  `update document set source_seq = seq where source_root_id is not null`,

  `create table document_client (
    document_id integer not null references document on delete cascade,
    client ${long} not null,
    user_id text not null,
    primary key (document_id, client)
  ) ${options}`,
]
