import {
  Alert,
  Badge,
  Button,
  Popover,
  ScrollArea,
  SegmentedControl,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import type { GraphContent } from '@meadow/contract'
import type { SolveSummary } from '@meadow/contract/web'
import { IconAlertTriangle, IconChevronDown } from '../../shell/icons.ts'
import { When } from '../../shell/when.tsx'
import { describePreview, describeSolve } from '../../solve-state/describe-solve.ts'
import { formatCredits } from '../../solve-state/format-credits.ts'
import { SolveBadge } from '../../solve-state/solve-badge.tsx'
import { labelOf } from '../graph/layout/node-box.ts'
import { formatDuration } from '../graph/nodes/node-frame.tsx'
import type { GraphLocation } from '../state/graph-location.ts'
import { useEditor } from '../state/store.ts'
import { FileTab } from './file-tab.tsx'
import { type Finding, type FindingGroup, listFindings } from './list-findings.ts'
import styles from './state-panel.module.css'

/** The number of findings that a group shows; longer groups are cut off. */
const MAX_SHOWN = 200

/** Selects and shows nodes. */
type Choose = (location: GraphLocation) => void

/** The state of the document. Clicking it opens a panel with what is missing, by cause. */
export function StatePanel() {
  const { document, content, summary, solution, preview, unsolvable, ...editor } = useEditor()
  const { isOpen, tab } = editor.panel
  const groups = listFindings({ content, solution, unsolvable })
  const hasFile = document.fileName !== null
  const choose: Choose = (location) => {
    editor.viewState.go(location)
    editor.setPanel({ isOpen: false })
    editor.showPane('graph')
  }
  return (
    <Popover
      opened={isOpen}
      onChange={(isOpen) => editor.setPanel({ isOpen })}
      width="min(420px, calc(100vw - 16px))"
      position="bottom-start"
      shadow="md"
      trapFocus
      withinPortal
    >
      <Popover.Target>
        <UnstyledButton
          className={styles.target}
          title="What is solved, and what is missing"
          aria-expanded={isOpen}
          onClick={() => editor.setPanel({ isOpen: !isOpen })}
        >
          <SolveBadge
            summary={summary}
            isPreview={preview !== undefined}
            className={styles.badge}
            rightSection={<IconChevronDown size={12} aria-hidden />}
          />
          <Notes summary={summary} groups={groups} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        {hasFile && (
          <SegmentedControl
            fullWidth
            size="xs"
            m={8}
            mb={0}
            aria-label="What is listed"
            value={tab}
            onChange={(next) => editor.setPanel({ tab: next as typeof tab })}
            data={[
              { value: 'state', label: 'State' },
              { value: 'file', label: 'File' },
            ]}
          />
        )}
        <ScrollArea.Autosize mah="min(480px, calc(100dvh - 140px))" type="auto">
          {hasFile && tab === 'file' ? (
            <FileTab onChoose={choose} />
          ) : (
            <>
              <Overview isEmpty={groups.length === 0} onChoose={choose} />
              {groups.map((group) => (
                <Group key={group.title} group={group} onChoose={choose} />
              ))}
            </>
          )}
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
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

/** The state in sentences, and what to do about it. */
function Overview({ isEmpty, onChoose }: { isEmpty: boolean; onChoose: Choose }) {
  const { content, summary, reason, solution, preview, solve: solving } = useEditor()
  const isPreview = preview !== undefined
  const { solve, completeness } = summary
  const isSolving = solve === 'queued' || solve === 'running'
  const isUnchecked = solve === 'solved' && !completeness
  return (
    <div className={styles.overview}>
      <Text size="sm" fw={600}>
        {(isPreview ? describePreview(summary) : describeSolve(summary)).sentence}
      </Text>
      {solve === 'failed' && <Failure content={content} reason={reason} onChoose={onChoose} />}
      {solution && !isPreview && (
        <Text size="xs" c="dimmed" mt={4}>
          {solve === 'solved' ? 'Solved ' : 'What is shown was solved '}
          <When at={solution.solvedAt} size="xs" /> in {formatDuration(solution.durationMs)}
          {solution.creditTenths !== null &&
            solution.creditTenths > 0 &&
            `, for ${formatCredits(solution.creditTenths)} credits`}
          .
        </Text>
      )}
      {isEmpty && !isPreview && completeness?.isComplete && (
        <Text size="sm" c="dimmed" mt={4}>
          There are no warnings.
        </Text>
      )}
      {solving && !isSolving && (isUnchecked || solve === 'never' || solve === 'failed') && (
        <Button size="xs" variant="light" mt="xs" onClick={solving.ask}>
          {solve === 'never' ? 'Solve' : 'Solve again'}
        </Button>
      )}
    </div>
  )
}

interface FailureProps {
  content: GraphContent
  reason: string | null
  onChoose: Choose
}

/** Why a solve failed, without the ids of the nodes that it names, and these nodes. */
function Failure({ content, reason, onChoose }: FailureProps) {
  const named = Object.values(content.nodes).filter(({ instanceId }) => reason?.includes(instanceId))
  const text = named.reduce((text, { instanceId }) => text.replaceAll(` (${instanceId})`, ''), reason ?? '')
  return (
    <Alert color="red" mt="xs" p="xs">
      <Text size="sm">{text || 'The solver did not say why.'}</Text>
      <Text size="sm" mt={4}>
        {named.length > 0
          ? 'Change or disable the nodes below: the document is then solved again.'
          : 'Every change of the document starts another solve. If the reason is not in the document, try again later.'}
      </Text>
      {named.map((node) => (
        <Entry
          key={node.instanceId}
          finding={{ nodeId: node.instanceId, label: labelOf(node), details: [] }}
          onChoose={onChoose}
        />
      ))}
    </Alert>
  )
}

interface GroupProps {
  group: FindingGroup
  onChoose: Choose
}

function Group({ group: { title, color, findings, isFolded }, onChoose }: GroupProps) {
  return (
    <section aria-label={title}>
      <details open={!isFolded} className={styles.group}>
        <summary className={styles.summary}>
          <Badge size="sm" variant="light" color={color} className={styles.count}>
            {findings.length}
          </Badge>
          <Text span size="sm" className={styles.title}>
            {title}
          </Text>
        </summary>
        {findings.slice(0, MAX_SHOWN).map((finding, index) => (
          <Entry
            // biome-ignore lint/suspicious/noArrayIndexKey: a cluster may hold several nodes of one name.
            key={index}
            finding={finding}
            onChoose={onChoose}
          />
        ))}
        {findings.length > MAX_SHOWN && (
          <Text size="xs" c="dimmed" p={8}>
            And {findings.length - MAX_SHOWN} more.
          </Text>
        )}
      </details>
    </section>
  )
}

interface EntryProps {
  finding: Finding
  onChoose: Choose
}

/** An entry that selects its node. */
function Entry({ finding: { nodeId, inside, label, details, cause }, onChoose }: EntryProps) {
  const path = [nodeId, ...(inside ?? [])]
  const entry = (
    <UnstyledButton
      className={styles.entry}
      onClick={() => onChoose({ clusterIds: path.slice(0, -1), nodeIds: path.slice(-1) })}
    >
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {details.map((detail) => (
        <Text key={detail} size="xs" c="dimmed">
          {detail}
        </Text>
      ))}
    </UnstyledButton>
  )
  if (!cause) return entry
  return (
    <>
      {entry}
      <UnstyledButton
        className={styles.entry}
        pt={0}
        onClick={() => onChoose({ clusterIds: [], nodeIds: [cause.nodeId] })}
      >
        <Text size="xs" td="underline">
          Depends on {cause.label}
        </Text>
      </UnstyledButton>
    </>
  )
}
