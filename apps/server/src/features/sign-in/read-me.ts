import type { Me } from '@meadow/contract/web'
import type { Person } from '../../access/sessions.store.ts'
import type { MeStore } from './me.store.ts'

/** Tells a person who they are, as the app asks first of all. */
export type ReadMe = (person: Pick<Person, 'userId' | 'name' | 'email'>, host: string) => Promise<Me>

export const createReadMe =
  (store: MeStore): ReadMe =>
  async ({ userId, name, email }, host) => {
    const [teams, hasPassword] = await Promise.all([store.listTeams(userId, host), store.hasPassword(userId)])
    return { person: { id: userId, name, email }, teams, hasPassword }
  }
