import { Alert, Badge, Button, Text, UnstyledButton } from '@mantine/core'
import type { GraphContent } from '@meadow/contract'
import { When } from '../../shell/when.tsx'
import { describePreview, describeSolve } from '../../solve-state/describe-solve.ts'
import { formatCredits } from '../../solve-state/format-credits.ts'
import { labelOf } from '../graph/layout/node-box.ts'
import { formatDuration } from '../graph/nodes/node-frame.tsx'
import type { GraphLocation } from '../state/graph-location.ts'
import { useEditor } from '../state/store.ts'
import { type Finding, type FindingGroup, listFindings } from './list-findings.ts'
import styles from './state-panel.module.css'

/** The number of findings that a group shows; longer groups are cut off. */
const MAX_SHOWN = 200

/** What a document lacks, by cause, and its messages. */
export function StatePanel() {
  const { content, solution, unsolvable } = useEditor()
  const choose = useChoose()
  const groups = listFindings({ content, solution, unsolvable })
  return (
    <>
      <Overview isEmpty={groups.length === 0} onChoose={choose} />
      {groups.map((group) => (
        <Group key={group.title} group={group} onChoose={choose} />
      ))}
    </>
  )
}

/** Selects and shows nodes. */
type Choose = (location: GraphLocation) => void

/** Returns what leads from a list to its nodes. */
export function useChoose(): Choose {
  const { viewState, showPane } = useEditor()
  return (location) => {
    viewState.go(location)
    showPane('graph')
  }
}

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
