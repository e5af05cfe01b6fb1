import type { Me, Membership } from '@meadow/contract/web'
import { createContext, useContext } from 'react'
import { useParams } from 'react-router'

export const MeContext = createContext<Me | undefined>(undefined)

/** Who is signed in. Only below the shell, which lets nobody else through. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (!me) throw new Error('This needs somebody who is signed in.')
  return me
}

/** The team that the address names, if one is in it. */
export function useTeam(): Membership | undefined {
  const { teamId } = useParams()
  return useMe().teams.find(({ id }) => id === teamId)
}
