import { Badge, type BadgeProps } from '@mantine/core'
import type { SolveSummary } from '@meadow/contract/web'
import { Link } from 'react-router'
import { describePreview, describeSolve } from './describe-solve.ts'
import styles from './solve-badge.module.css'

/** The fragment of a document's address that opens the panel with its state. */
export const STATE_FRAGMENT = '#state'

interface SolveBadgeProps extends BadgeProps {
  summary: SolveSummary
  /** Whether a preview is shown in place of the last solution. */
  isPreview?: boolean
}

/** The state of a document in a few words. */
export function SolveBadge({ summary, isPreview = false, ...props }: SolveBadgeProps) {
  const { label, color, isFailure } = isPreview ? describePreview(summary) : describeSolve(summary)
  return (
    <Badge variant={isFailure ? 'filled' : 'light'} color={color} tt="none" fw={600} {...props}>
      {label}
    </Badge>
  )
}

/** The state of a document in a list. It opens the document with what is missing. */
export function SolveLink({ documentId, summary }: { documentId: string; summary: SolveSummary }) {
  return (
    <Link
      to={`/documents/${documentId}${STATE_FRAGMENT}`}
      className={styles.link}
      title={describeSolve(summary).sentence}
      draggable={false}
    >
      <SolveBadge summary={summary} size="sm" className={styles.badge} />
    </Link>
  )
}
