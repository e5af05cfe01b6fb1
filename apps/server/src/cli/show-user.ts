import type { UserRecord } from '../access/users.store.ts'

/** A user as `--json` shows it. */
export const showUser = ({ id, name, email, createdAt }: UserRecord) => ({
  id,
  name,
  email,
  createdAt: new Date(createdAt).toISOString(),
})
