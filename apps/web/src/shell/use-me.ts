import type { Me, Membership } from '@meadow/contract/web'
import { createContext, useContext } from 'react'
import { useParams } from 'react-router'

export const MeContext = createContext<Me | undefined>(undefined)

/** Returns the signed-in user. It works only inside the shell, which requires a session. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (!me) throw new Error('useMe needs a MeContext.')
  return me
}

/** The team of the URL; undefined when the user is not a member. */
export function useTeam(): Membership | undefined {
  const { teamId } = useParams()
  return useMe().teams.find(({ id }) => id === teamId)
}
