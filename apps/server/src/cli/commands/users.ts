import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  printable,
  UsageFailure,
} from '@meadow/command'
import { MEMBER_ROLES, type MemberRole } from '@meadow/contract/terms'
import { tellOfNewPassword } from '../../access/account-notices.ts'
import { endMembership, type ReplacedUser, replaceUnconfirmedUser, setMember } from '../../access/members.ts'
import { createOneTimeLink, LINK_PAGES, RESET_MS } from '../../access/one-time-links.ts'
import { hashPassword } from '../../access/password-hashes.ts'
import { createPassword, findNewPasswordFault, setPassword } from '../../access/passwords.ts'
import {
  confirmAddressOf,
  EmailTakenError,
  type UserRecord,
  type UserStore,
} from '../../access/users.store.ts'
import { recordEvent } from '../../audit/record-event.ts'
import { readConfig } from '../../config.ts'
import { resetSecondFactors } from '../../features/sign-in/second-factors.store.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import type { TeamRecord } from '../../team/teams.ts'
import { readEmail, readName } from '../arguments.ts'
import { getTeam, getUser, openStorage } from '../storage.ts'

/** What a member may do in the team. */
const ROLE_OPTION = {
  '--role <role>': {
    says: 'What the user may do in the team: an owner everything, a member edit, a viewer look.',
    choices: MEMBER_ROLES,
    default: 'member',
  },
}

/** `meadow-server user create` */
export const userCreate: Declaration = {
  name: 'create',
  summary: 'Create a user, who may sign in, and print their id.',
  description:
    'Create a user, who may sign in, and print their id. With it you vouch that the address is theirs.',
  options: {
    '--email <email>': {
      says: 'The e-mail address that the user signs in with.',
      read: readEmail,
      isRequired: true,
    },
    '--name <name>': { says: 'What others see.', read: readName, isRequired: true },
    '--team <id>': 'A team that the user becomes a member of.',
    ...ROLE_OPTION,
    '--replace-unconfirmed':
      'End an account with that address that nobody confirmed, with all that it can do.',
  },
  examples: [
    'meadow-server user create --email ann@example.org --name "Ann"',
    'meadow-server user create --email ann@example.org --name "Ann" --team <ID> --role owner',
  ],
  run: runUserCreate,
}

interface UserCreateOptions {
  email: string
  name: string
  team?: string
  role: MemberRole
  replaceUnconfirmed?: true
}

async function runUserCreate(
  { env, output }: CommandContext,
  { email, name, ...options }: UserCreateOptions,
): Promise<void> {
  if (options.team === '') throw new UsageFailure('Name a team behind --team, or leave it out.')
  await using storage = await openStorage({ env, output }, { isFirst: true })
  const { database, users } = storage
  // The team is looked up first, so that nothing is created when it is mistyped.
  const team = options.team === undefined ? undefined : await getTeam(database, options.team)
  const { user, replaced } = options.replaceUnconfirmed
    ? await replaceUnconfirmedUser(storage.database, { email, name })
    : { user: await createUser(users, { email, name }), replaced: undefined }
  if (team) await changeTeam(database, team.key, (change) => setMember(change, user.id, options.role))
  const teams = team ? [{ id: team.id, name: team.name, role: options.role }] : []
  await output.data(
    { ...showUser(user), teams, ...(replaced && { replaced: showReplaced(replaced) }) },
    () => user.id,
  )
  const joined = team ? `, ${options.role} of team "${printable(team.name)}"` : ''
  output.message(`User "${printable(name)}" (${email}) created${joined}.`)
  if (replaced) output.message(describeReplaced(replaced))
}

async function createUser(users: UserStore, user: { email: string; name: string }): Promise<UserRecord> {
  try {
    return await users.createUser(user)
  } catch (error) {
    if (!(error instanceof EmailTakenError) || (await users.findUser(user.email))?.isConfirmed) throw error
    throw new CommandFailure(
      `${error.message} Nobody confirmed that the address is theirs: it was typed with an invitation. If you know that ` +
        `it is, confirm it with "meadow-server user confirm ${user.email}", or give them a role with "meadow-server user ` +
        `add ${user.email} --team ID --unconfirmed"; if not, ` +
        '"--replace-unconfirmed" ends that account and creates this one.',
    )
  }
}

const showReplaced = ({ id, teams }: NonNullable<ReplacedUser['replaced']>) => ({
  id,
  teams: teams.map(({ id, name, hasOwner }) => ({ id, name, hasOwner })),
})

function describeReplaced({ id, teams }: NonNullable<ReplacedUser['replaced']>): string {
  const names = teams
    .map(
      ({ name, id, hasOwner }) => `"${printable(name)}" (${id}${hasOwner ? '' : ', which has no owner now'})`,
    )
    .join(', ')
  const left = teams.length === 0 ? 'It was in no team.' : `It was a member of ${names}.`
  return `The unconfirmed account ${id} with that address is gone, with its sessions, password, roles and API tokens. ${left}`
}

/** `meadow-server user list` */
export const userList: Declaration = {
  name: 'list',
  description:
    'List all users, or the members of a team with their roles and whether the identity provider gave them.',
  options: { '--team <id>': 'Only the members of this team.' },
  examples: ['meadow-server user list', 'meadow-server user list --team <ID> --json'],
  run: runUserList,
}

async function runUserList({ env, output }: CommandContext, options: { team?: string }): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { database, users } = storage
  if (options.team !== undefined) {
    const team = await getTeam(database, options.team)
    const members = (await users.listMembers(team.key)).map((member) => ({
      ...showUser(member),
      role: member.role,
      roleFrom: member.isRoleFromProvider ? 'provider' : 'hand',
    }))
    return output.data(
      { users: members },
      {
        table: {
          columns: ['E-MAIL', 'NAME', 'ROLE', 'ROLE GIVEN BY', 'ID', 'CONFIRMED'],
          rows: members.map(({ email, name, role, roleFrom, id, confirmed }) => [
            email,
            name,
            role,
            roleFrom === 'provider' ? 'identity provider' : 'hand',
            id,
            yesOrNo(confirmed),
          ]),
        },
      },
    )
  }
  const all = (await users.listUsers()).map(showUser)
  await output.data(
    { users: all },
    {
      table: {
        columns: ['E-MAIL', 'NAME', 'ID', 'CREATED', 'CONFIRMED'],
        rows: all.map(({ email, name, id, createdAt, confirmed }) => [
          email,
          name,
          id,
          createdAt,
          yesOrNo(confirmed),
        ]),
      },
    },
  )
}

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no')

/** `meadow-server user add` */
export const userAdd: Declaration = {
  name: 'add',
  description: 'Make a user a member of a team, or give a member another role.',
  arguments: { '<email>': { says: 'The e-mail address of the user.', read: readEmail } },
  options: {
    '--team <id>': { says: 'The team.', isRequired: true },
    ...ROLE_OPTION,
    '--unconfirmed': 'Also when nobody confirmed that the address is theirs: you know that it is.',
  },
  examples: ['meadow-server user add ann@example.org --team <ID> --role viewer'],
  run: runUserAdd,
}

async function runUserAdd(
  { env, output }: CommandContext,
  email: string,
  { team: id, role, unconfirmed }: { team: string; role: MemberRole; unconfirmed?: true },
): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { database, users } = storage
  const team = await getTeam(database, id)
  const user = await getUser(users, email)
  // An account keeps its id and an address that was confirmed once stays so: nothing changes before the next line.
  if (!user.isConfirmed && !unconfirmed) throw new CommandFailure(describeUnconfirmed(user.email))
  const wasProvided = await isRoleFromProvider(users, team, user)
  await changeTeam(database, team.key, (change) => setMember(change, user.id, role))
  await output.data({ user: user.id, team: team.id, role }, () => role)
  output.message(`${printable(user.email)} is ${role} of team "${printable(team.name)}" now.`)
  if (wasProvided)
    output.message(
      'The identity provider gave their role before. This one stays, but their next sign-in may raise it again.',
    )
}

async function isRoleFromProvider(
  users: UserStore,
  team: Pick<TeamRecord, 'key'>,
  user: Pick<UserRecord, 'id'>,
): Promise<boolean> {
  const members = await users.listMembers(team.key)
  return members.some(({ id, isRoleFromProvider }) => id === user.id && isRoleFromProvider)
}

const describeUnconfirmed = (email: string): string =>
  `Nobody confirmed that "${email}" is the address of whoever has this account: it was typed with an invitation. ` +
  `If you know that it is theirs, confirm it with "meadow-server user confirm ${email}", or add "--unconfirmed". ` +
  'If not, replace the account with ' +
  `"meadow-server user create --email ${email} --name NAME --replace-unconfirmed".`

/** `meadow-server user remove` */
export const userRemove: Declaration = {
  name: 'remove',
  description: 'Take a user out of a team. What they have open there is closed.',
  arguments: { '<email>': { says: 'The e-mail address of the user.', read: readEmail } },
  options: { '--team <id>': { says: 'The team.', isRequired: true } },
  examples: ['meadow-server user remove ann@example.org --team <ID>'],
  run: runUserRemove,
}

async function runUserRemove(
  { env, output }: CommandContext,
  email: string,
  { team: id }: { team: string },
): Promise<void> {
  await using storage = await openStorage({ env, output })
  const { database, users } = storage
  const team = await getTeam(database, id)
  const user = await getUser(users, email)
  const wasProvided = await isRoleFromProvider(users, team, user)
  const isRemoved = await changeTeam(database, team.key, (change) => endMembership(change, user.id))
  if (!isRemoved)
    throw new CommandFailure(`${printable(user.email)} is no member of team "${printable(team.name)}".`)
  await output.data({ user: user.id, team: team.id, removed: true }, () => 'removed')
  output.message(`${printable(user.email)} is no longer a member of team "${printable(team.name)}".`)
  if (wasProvided)
    output.message('The identity provider gave their role: the next sign-in through it may bring them back.')
}

/** `meadow-server user set-password` */
export const userSetPassword: Declaration = {
  name: 'set-password',
  description: 'Give a user a password to sign in with, and print it. Their sessions end.',
  arguments: { '<email>': { says: 'The e-mail address of the user.', read: readEmail } },
  options: {
    '--password-env <name>': 'The environment variable that holds the password. Without it: one is made.',
  },
  examples: [
    'meadow-server user set-password ann@example.org',
    'NEW=… meadow-server user set-password ann@example.org --password-env NEW',
  ],
  run: setUserPassword,
}

async function setUserPassword(
  { env, output }: CommandContext,
  email: string,
  options: { passwordEnv?: string },
): Promise<void> {
  const input = readInput(env, options.passwordEnv)
  await using storage = await openStorage({ env, output })
  const user = await getUser(storage.users, email)
  if (input !== undefined) {
    const fault = await findNewPasswordFault(storage.database.read, { ...user, userId: user.id }, input)
    if (fault !== undefined)
      throw new UsageFailure(`The password of ${options.passwordEnv} is not set. ${fault}`)
  }
  const password = input ?? createPassword()
  const hash = await hashPassword(password)
  await storage.database.transaction(async (write) => {
    await setPassword(write, user.id, hash)
    const target = { kind: 'user', id: user.id, name: user.email }
    recordEvent(write, { action: 'password.changed', target })
    await tellOfNewPassword(write, user.id)
  })
  const sessions = await storage.openSessions()
  const ended = await sessions.endSessions(user.id)
  // A password from the environment is known, and must not appear in a log.
  const shown = input === undefined ? { password } : {}
  await output.data(
    { id: user.id, email: user.email, ...shown, sessionsEnded: ended },
    () => shown.password ?? '',
  )
  output.message(`${printable(user.email)} can sign in with ${input ? 'the given' : 'this'} password.`)
}

/** `meadow-server user reset-factors` */
export const userResetFactors: Declaration = {
  name: 'reset-factors',
  description:
    'Remove all second factors and recovery codes of a user who has lost them. Their sessions end; the password stays.',
  arguments: { '<email>': { says: 'The e-mail address of the user.', read: readEmail } },
  examples: ['meadow-server user reset-factors ann@example.org'],
  run: resetUserFactors,
}

async function resetUserFactors({ env, output }: CommandContext, email: string): Promise<void> {
  await using storage = await openStorage({ env, output })
  const user = await getUser(storage.users, email)
  const removed = await storage.database.transaction((write) => resetSecondFactors(write, user.id))
  const sessions = await storage.openSessions()
  const ended = await sessions.endSessions(user.id)
  await output.data({ id: user.id, email: user.email, removed, sessionsEnded: ended }, () => String(removed))
  output.message(
    `${printable(user.email)} has no second factor now. Make sure that it was really this person who asked for it: ` +
      'the password alone signs in until they set one up again.',
  )
}

/** Reads a password from a variable, since every user of the machine can read arguments. */
function readInput(env: CommandContext['env'], name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const password = env[name]
  if (!password) throw new UsageFailure(`The variable ${name} must hold a password.`)
  return password
}

/** `meadow-server user confirm` */
export const userConfirm: Declaration = {
  name: 'confirm',
  description:
    'Vouch that the address of an account belongs to whoever has the account. Ask them in person, not by that address.',
  arguments: { '<email>': { says: 'The e-mail address of the user.', read: readEmail } },
  examples: ['meadow-server user confirm ann@example.org'],
  run: runUserConfirm,
}

async function runUserConfirm({ env, output }: CommandContext, email: string): Promise<void> {
  await using storage = await openStorage({ env, output })
  const user = await getUser(storage.users, email)
  await storage.database.transaction((write) => confirmAddressOf(write, user.id))
  await output.data({ id: user.id, email: user.email, confirmed: true }, () => 'confirmed')
  output.message(
    user.isConfirmed
      ? `The address of ${printable(user.email)} was confirmed before.`
      : `The address ${printable(user.email)} is confirmed now.`,
  )
}

/** `meadow-server user reset-password` */
export const userResetPassword: Declaration = {
  name: 'reset-password',
  description:
    'Print a link with which a user sets a new password: once, within an hour. Give it to nobody but them. Their ' +
    'password and sessions stay until they use it.',
  arguments: { '<email>': { says: 'The e-mail address of the user.', read: readEmail } },
  examples: ['meadow-server user reset-password ann@example.org'],
  run: runUserResetPassword,
}

async function runUserResetPassword({ env, output }: CommandContext, email: string): Promise<void> {
  const { baseUrl, host, port } = readConfig(env)
  await using storage = await openStorage({ env, output })
  const user = await getUser(storage.users, email)
  const expiresAt = timeOf(storage.database.read) + RESET_MS
  const link = { purpose: 'reset', user: user.id, email: user.email } as const
  const secret = await storage.database.transaction((write) => createOneTimeLink(write, link, expiresAt))
  const url = `${baseUrl ?? `http://${host}:${port}`}${LINK_PAGES.reset}#${secret}`
  await output.data(
    { id: user.id, email: user.email, url, expiresAt: new Date(expiresAt).toISOString() },
    () => url,
  )
  output.message(
    `Whoever opens this link sets the password of ${printable(user.email)}. It works once, for an hour.`,
  )
}

/** A user as `--json` shows it. */
const showUser = ({ id, name, email, isConfirmed, createdAt }: UserRecord) => ({
  id,
  name,
  email,
  confirmed: isConfirmed,
  createdAt: new Date(createdAt).toISOString(),
})
