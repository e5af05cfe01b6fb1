import {
  ActionIcon,
  Alert,
  Avatar,
  Badge,
  Button,
  Group,
  SegmentedControl,
  Text,
  Title,
  Tooltip,
  UnstyledButton,
} from '@mantine/core'
import type { Completeness } from '@meadow/contract'
import {
  type AppDocument,
  askForSolve,
  readAppDocument,
  readEditorSolution,
  type SolveState,
} from '@meadow/contract/web'
import { IconArrowBackUp, IconArrowForwardUp, IconArrowLeft, IconPlayerPlay } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { call, errorMessage } from '../../api/call.ts'
import { renameItem, useFolderChange } from '../../folders/folder-changes.ts'
import { NameDialog } from '../../shell/name-dialog.tsx'
import type { LiveSession } from '../live/live-session.ts'
import { useObserved } from '../live/observed.ts'
import styles from './document-header.module.css'
import { ExportMenu } from './export-menu.tsx'
import { HelpButton } from './help-button.tsx'
import { ScriptButton } from './script-button.tsx'

/** Which panes are shown. */
export type PaneChoice = 'graph' | 'both' | 'model'

interface DocumentHeaderProps {
  document: AppDocument
  live: LiveSession | undefined
  solve: SolveState
  /** Why the last solve failed. */
  reason: string | null
  /** Of the last solution. */
  completeness: Completeness | null
  /** Whether what is shown was computed in this window, and is not a stored solution. */
  isPreview: boolean
  /** The lists of what cannot be solved, and of the solution's messages. */
  messages: ReactNode
  panes: PaneChoice
  onPanes: (panes: PaneChoice) => void
}

interface StateLabel {
  label: string
  color: string
  reason?: string
}

const SOLVE_STATES: Record<SolveState, StateLabel> = {
  never: { label: 'Not solved', color: 'gray' },
  queued: { label: 'Waiting to be solved', color: 'blue' },
  running: { label: 'Solving', color: 'blue' },
  solved: { label: 'Solved', color: 'meadow' },
  failed: { label: 'Solve failed', color: 'red' },
}

function describeState(solve: SolveState, completeness: Completeness | null): StateLabel {
  if (solve !== 'solved' || !completeness) return SOLVE_STATES[solve]
  const { isComplete, nodes, solved, failed, unsupported, unknown } = completeness
  if (isComplete && failed === 0) return SOLVE_STATES.solved
  if (isComplete) return { label: `Solved, ${failed} failed`, color: 'orange' }
  return {
    label: `Partly solved: ${solved + failed} of ${nodes}`,
    color: 'violet',
    reason: `Nodes that Meadow cannot solve: ${unsupported}. Nodes that depend on them: ${unknown}.`,
  }
}

/** A preview never looks like a stored solution. */
function describePreview(solve: SolveState): StateLabel {
  const isSolving = solve === 'queued' || solve === 'running'
  return {
    label: isSolving ? 'Preview, solving' : solve === 'failed' ? 'Preview, solve failed' : 'Preview',
    color: solve === 'failed' ? 'red' : 'blue',
    reason:
      'Computed in this window, from edits that are not solved yet. A preview is not stored and costs no credits.',
  }
}

export function DocumentHeader(props: DocumentHeaderProps) {
  const { document, live, solve, completeness, messages, panes, onPanes } = props
  const state = props.isPreview ? describePreview(solve) : describeState(solve, completeness)
  const reason = props.reason ?? state.reason
  const folder = document.path.at(-1)
  return (
    <header className={styles.header}>
      <Group gap="xs" wrap="nowrap" miw={0}>
        <Tooltip label={folder ? `Back to ${folder.name}` : 'Home'}>
          <ActionIcon
            component={Link}
            to={folder ? `/teams/${document.team.id}/folders/${folder.id}` : '/'}
            variant="subtle"
            color="gray"
            aria-label="Back to the folder"
          >
            <IconArrowLeft size={18} />
          </ActionIcon>
        </Tooltip>
        <DocumentName document={document} mayEdit={live?.mayEdit ?? false} />
        <Tooltip label={reason} disabled={!reason} multiline maw={400}>
          <Badge variant="light" color={state.color} tabIndex={reason ? 0 : -1} flex="none">
            {state.label}
          </Badge>
        </Tooltip>
        {messages}
        {live?.mayEdit && (
          <SolveButton document={document} isOff={solve === 'queued' || solve === 'running'} />
        )}
      </Group>
      <Group gap="xs" wrap="nowrap">
        {live?.mayEdit && <UndoButtons live={live} />}
        {live && <PeoplePresent live={live} />}
        <SegmentedControl
          size="xs"
          aria-label="What is shown"
          value={panes}
          onChange={(next) => onPanes(next as PaneChoice)}
          data={[
            { value: 'graph', label: 'Graph' },
            { value: 'both', label: 'Both' },
            { value: 'model', label: '3D' },
          ]}
        />
        <HelpButton />
        <ScriptButton document={document} />
        {document.role && <ExportMenu document={document} />}
      </Group>
    </header>
  )
}

/** Undo and redo of one's own edits. */
function UndoButtons({ live }: { live: LiveSession }) {
  const { canUndo, canRedo } = useObserved(live.status)
  return (
    <Group gap={2} wrap="nowrap" visibleFrom="sm">
      <ActionIcon variant="subtle" color="gray" aria-label="Undo" disabled={!canUndo} onClick={live.undo}>
        <IconArrowBackUp size={18} />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" aria-label="Redo" disabled={!canRedo} onClick={live.redo}>
        <IconArrowForwardUp size={18} />
      </ActionIcon>
    </Group>
  )
}

const MAX_AVATARS = 4

/** The other users who have the document open. */
function PeoplePresent({ live }: { live: LiveSession }) {
  const others = useObserved(live.others)
  const people = [
    ...new Map([...others.values()].flatMap(({ user }) => (user ? [[user.id, user.name]] : []))).entries(),
  ]
  if (people.length === 0) return null
  return (
    <Avatar.Group role="group" aria-label={`Also here: ${people.map(([, name]) => name).join(', ')}`}>
      {people.slice(0, MAX_AVATARS).map(([id, name]) => (
        <Tooltip key={id} label={name}>
          <Avatar name={name} color="initials" size={28} alt={name} />
        </Tooltip>
      ))}
      {people.length > MAX_AVATARS && <Avatar size={28}>+{people.length - MAX_AVATARS}</Avatar>}
    </Avatar.Group>
  )
}

function DocumentName({ document, mayEdit }: { document: AppDocument; mayEdit: boolean }) {
  const [isRenaming, setIsRenaming] = useState(false)
  const queryClient = useQueryClient()
  const rename = useFolderChange(async (name: string) => {
    await renameItem({ kind: 'document', id: document.id, name: document.name }, name)
    await queryClient.invalidateQueries({ queryKey: [readAppDocument.name] })
  })
  const name = (
    <Title order={1} size="h5" lineClamp={1}>
      {document.name}
    </Title>
  )
  if (!mayEdit) return name
  return (
    <>
      <UnstyledButton onClick={() => setIsRenaming(true)} title="Rename" miw={0}>
        {name}
      </UnstyledButton>
      <NameDialog
        title="Rename the document"
        action="Rename"
        initialName={document.name}
        isOpen={isRenaming}
        close={() => setIsRenaming(false)}
        save={(next) => rename.mutateAsync(next)}
      />
    </>
  )
}

function SolveButton({ document, isOff }: { document: AppDocument; isOff: boolean }) {
  const queryClient = useQueryClient()
  const solve = useMutation({
    mutationFn: () => call(askForSolve, { params: [document.id] }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [readEditorSolution.name] }),
  })
  return (
    <>
      <Tooltip label={`Solve now. ${document.credits?.toLocaleString() ?? 'No'} credits are left.`}>
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconPlayerPlay size={14} />}
          disabled={isOff}
          loading={solve.isPending}
          onClick={() => solve.mutate()}
        >
          Solve
        </Button>
      </Tooltip>
      {solve.isError && (
        <Alert className={styles.alert} color="red" role="alert" withCloseButton onClose={solve.reset}>
          <Text size="sm">{errorMessage(solve.error)}</Text>
        </Alert>
      )}
    </>
  )
}
