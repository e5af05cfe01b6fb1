import type { PortFlag } from '@meadow/contract'
import styles from './nodes.module.css'

const SYMBOLS: Record<PortFlag, string> = { graft: '↑', flatten: '↓', simplify: '∖', reverse: '⇅' }

/** What a port does to its data. */
export function PortFlags({ flags = [] }: { flags?: readonly PortFlag[] | undefined }) {
  return flags.map((flag) => (
    <span key={flag} className={styles.flag} role="img" aria-label={flag} title={flag}>
      {SYMBOLS[flag]}
    </span>
  ))
}
