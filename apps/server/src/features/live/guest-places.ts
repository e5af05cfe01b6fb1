import type { UserId } from '@meadow/contract'

/** How many sockets each person has, those on their way in included: many may knock in the same moment. */
export interface GuestPlaces {
  /** Returns what gives the place back; undefined when the person has all that one may have. */
  take(user: UserId): (() => void) | undefined
}

export function createGuestPlaces(most: number): GuestPlaces {
  const taken = new Map<UserId, number>()
  return {
    take(user) {
      const count = taken.get(user) ?? 0
      if (count >= most) return undefined
      taken.set(user, count + 1)
      let isGivenBack = false
      return () => {
        if (isGivenBack) return
        isGivenBack = true
        const left = taken.get(user)! - 1
        if (left === 0) taken.delete(user)
        else taken.set(user, left)
      }
    },
  }
}
