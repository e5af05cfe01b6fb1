import type { UserRecord } from '../access/users.store.ts'

/** A user as `--json` shows it. */
export const showUser = ({ id, name, email, isConfirmed, createdAt }: UserRecord) => ({
  id,
  name,
  email,
  confirmed: isConfirmed,
  createdAt: new Date(createdAt).toISOString(),
})
