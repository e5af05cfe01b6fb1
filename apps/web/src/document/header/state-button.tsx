import { Badge, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { SolveSummary } from '@meadow/contract/web'
import { IconAlertTriangle } from '../../shell/icons.ts'
import { SolveBadge } from '../../solve-state/solve-badge.tsx'
import { useEditor } from '../state/store.ts'
import type { Dock } from '../state/use-dock.ts'
import { type Finding, type FindingGroup, listFindings } from '../state-panel/list-findings.ts'
import styles from './state-button.module.css'

/** The state of the document. Clicking it opens the panel with what is missing, by cause. */
export function StateButton({ dock }: { dock: Dock }) {
  const { content, summary, solution, preview, unsolvable } = useEditor()
  return (
    <UnstyledButton
      className={styles.target}
      title="What is solved, and what is missing"
      aria-pressed={dock.tab === 'state'}
      onClick={() => dock.toggle('state')}
    >
      <SolveBadge summary={summary} isPreview={preview !== undefined} className={styles.badge} />
      <Notes summary={summary} groups={listFindings({ content, solution, unsolvable })} />
    </UnstyledButton>
  )
}

/** What the words of the state leave out: that nodes cannot be solved while there is no solution yet, and warnings. */
function Notes({ summary, groups }: { summary: SolveSummary; groups: readonly FindingGroup[] }) {
  const count = (color: FindingGroup['color']) =>
    new Set(groups.filter((group) => group.color === color).flatMap(({ findings }) => findings.map(idOf)))
      .size
  const [missing, warned] = [count('violet'), count('orange')]
  if (summary.solve !== 'solved' && missing > 0)
    return (
      <Badge variant="light" color="violet" tt="none" fw={600} className={styles.note}>
        {missing} not supported
      </Badge>
    )
  if (warned === 0 || summary.solve !== 'solved') return null
  return (
    <Badge
      variant="light"
      color="orange"
      tt="none"
      fw={600}
      className={styles.note}
      leftSection={<IconAlertTriangle size={12} aria-hidden />}
    >
      {warned}
      <VisuallyHidden>{warned === 1 ? ' warning' : ' warnings'}</VisuallyHidden>
    </Badge>
  )
}

const idOf = ({ nodeId }: Finding): string => nodeId
