import { NavLink } from 'react-router'
import { IconClock, IconStar } from '../shell/icons.ts'
import styles from './library-nav.module.css'

/** The lists of a person in a team, beside its folders. */
export function LibraryNav({ teamId }: { teamId: string }) {
  return (
    <nav aria-label="Your lists" className={styles.nav}>
      <NavLink to={`/teams/${teamId}/recent`} className={styles.link ?? ''}>
        <IconClock size={16} aria-hidden /> Recent
      </NavLink>
      <NavLink to={`/teams/${teamId}/favourites`} className={styles.link ?? ''}>
        <IconStar size={16} aria-hidden /> Favourites
      </NavLink>
    </nav>
  )
}
