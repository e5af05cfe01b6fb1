import type { ReactNode } from 'react'
import styles from './fact-list.module.css'

export interface Fact {
  name: string
  value: ReactNode
}

/** Names and values, one below the other. */
export const FactList = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={styles.list}>
    {facts.map(({ name, value }) => (
      <div key={name} className={styles.fact}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
