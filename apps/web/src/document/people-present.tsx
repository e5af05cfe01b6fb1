import { Avatar, Tooltip } from '@mantine/core'
import type { LiveSession } from './live-session.ts'
import { useObserved } from './observed.ts'

const SHOWN = 4

/** Who else has the document open. */
export function PeoplePresent({ live }: { live: LiveSession }) {
  const others = useObserved(live.others)
  const people = [
    ...new Map([...others.values()].flatMap(({ user }) => (user ? [[user.id, user.name]] : []))).entries(),
  ]
  if (people.length === 0) return null
  return (
    <Avatar.Group role="group" aria-label={`Also here: ${people.map(([, name]) => name).join(', ')}`}>
      {people.slice(0, SHOWN).map(([id, name]) => (
        <Tooltip key={id} label={name}>
          <Avatar name={name} color="initials" size={28} alt={name} />
        </Tooltip>
      ))}
      {people.length > SHOWN && <Avatar size={28}>+{people.length - SHOWN}</Avatar>}
    </Avatar.Group>
  )
}
