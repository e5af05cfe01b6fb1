import {
  ActionIcon,
  Avatar,
  Button,
  Group,
  SegmentedControl,
  Title,
  Tooltip,
  UnstyledButton,
} from '@mantine/core'
import { type AppDocument, readAppDocument } from '@meadow/contract/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { meQuery } from '../../api/queries.ts'
import { renameItem, useFolderChange } from '../../folders/items/folder-changes.ts'
import { LazyShareDialog } from '../../sharing/lazy-share-dialog.tsx'
import { PublicMark } from '../../sharing/public-mark.tsx'
import { lazyDialog } from '../../shell/dialog.tsx'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconPlayerPlay,
  IconShare,
} from '../../shell/icons.ts'
import { LogoImage } from '../../shell/logo.tsx'
import { NameDialog } from '../../shell/name-dialog.tsx'
import { formatCredits } from '../../solve-state/format-credits.ts'
import { useKeys } from '../keys/use-keys.ts'
import type { LiveSession } from '../live/live-session.ts'
import { useObserved } from '../live/observed.ts'
import { type EditorStore, type PaneChoice, useEditor } from '../state/store.ts'
import type { Dock } from '../state/use-dock.ts'
import styles from './document-header.module.css'
import { ExportNotices, MoreMenu, useExport } from './more-menu.tsx'
import { StateButton } from './state-button.tsx'

const LazyHelpDialog = lazyDialog(() => import('./help-dialog.tsx'), 'HelpDialog', 'Keys and gestures')

const LazyScriptDialog = lazyDialog(
  () => import('./script-dialog.tsx'),
  'ScriptDialog',
  'Read it from a script',
)

/** The header of a document in one row or, on a phone, in two, with the tools in the second. */
export function DocumentHeader({ dock }: { dock: Dock }) {
  const { document, live, mayEdit, summary, solve, panes, setPanes } = useEditor()
  const [dialog, setDialog] = useState<'help' | 'script' | 'share'>()
  const close = () => setDialog(undefined)
  const exporting = useExport(document)
  useKeys({ help: () => setDialog('help') })
  const folder = document.path.at(-1)
  return (
    <header className={styles.header}>
      <div className={styles.title}>
        {folder && document.team ? (
          <Tooltip label={`Back to ${folder.name}`}>
            <ActionIcon
              component={Link}
              to={`/teams/${document.team.id}/folders/${folder.id}`}
              variant="subtle"
              color="gray"
              aria-label="Back to the folder"
            >
              <IconArrowLeft size={18} />
            </ActionIcon>
          </Tooltip>
        ) : (
          <VisitorHome />
        )}
        <DocumentName document={document} mayEdit={mayEdit} />
        {document.role && <PublicMark visibility={document.visibility} />}
        <StateButton dock={dock} />
      </div>
      <div className={styles.tools}>
        {live && mayEdit && <UndoButtons live={live} />}
        {solve && <SolveButton document={document} solve={solve} />}
        <span className={styles.space} />
        {live && <PeoplePresent live={live} />}
        <SegmentedControl
          size="xs"
          className={styles.panes}
          aria-label="What is shown"
          value={panes}
          onChange={(next) => setPanes(next as PaneChoice)}
          data={[
            { value: 'graph', label: 'Graph' },
            { value: 'both', label: 'Both' },
            { value: 'model', label: '3D' },
          ]}
        />
      </div>
      <div className={styles.actions}>
        {document.role && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label="Share"
            title="Share"
            onClick={() => setDialog('share')}
          >
            <IconShare size={14} />
            <span className={styles.label}>Share</span>
          </Button>
        )}
        <MoreMenu dock={dock} exporting={exporting} open={setDialog} />
        {!document.role && <SignInLink />}
      </div>
      <ExportNotices exporting={exporting} />
      <LazyHelpDialog isOpen={dialog === 'help'} close={close} />
      <LazyScriptDialog document={document} summary={summary} isOpen={dialog === 'script'} close={close} />
      <LazyShareDialog
        documentId={document.id}
        name={document.name}
        isOpen={dialog === 'share'}
        close={close}
      />
    </header>
  )
}

/** Undo and redo of one's own edits. */
function UndoButtons({ live }: { live: LiveSession }) {
  const { canUndo, canRedo } = useObserved(live.status)
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon variant="subtle" color="gray" aria-label="Undo" disabled={!canUndo} onClick={live.undo}>
        <IconArrowBackUp size={18} />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" aria-label="Redo" disabled={!canRedo} onClick={live.redo}>
        <IconArrowForwardUp size={18} />
      </ActionIcon>
    </Group>
  )
}

interface SolveButtonProps {
  document: AppDocument
  solve: NonNullable<EditorStore['solve']>
}

function SolveButton({ document, solve: { ask, isOff, isPending } }: SolveButtonProps) {
  return (
    <Tooltip
      label={`Solve now. ${document.creditTenths === null ? 'No' : formatCredits(document.creditTenths)} credits are left.`}
    >
      <Button
        size="compact-sm"
        variant="light"
        leftSection={<IconPlayerPlay size={14} />}
        disabled={isOff}
        loading={isPending}
        onClick={ask}
      >
        Solve
      </Button>
    </Tooltip>
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
    <Avatar.Group
      className={styles.people}
      role="group"
      aria-label={`Also here: ${people.map(([, name]) => name).join(', ')}`}
    >
      {people.slice(0, MAX_AVATARS).map(([id, name]) => (
        <Tooltip key={id} label={name}>
          <Avatar name={name} color={live.colourOf(id)} variant="filled" size={28} alt={name} />
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
    await queryClient.invalidateQueries({ queryKey: [readAppDocument.path] })
  })
  const name = (
    <Title order={1} size="h5" lineClamp={1} className={styles.name}>
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
        save={rename.mutateAsync}
      />
    </>
  )
}

/** Takes the place of the way back to the folder: people of another team get to their own team. */
function VisitorHome() {
  const me = useQuery(meQuery)
  if (!me.data) return <LogoImage size={22} />
  return (
    <Tooltip label="Your team">
      <ActionIcon component={Link} to="/" variant="subtle" color="gray" aria-label="Go to your team">
        <IconArrowLeft size={18} />
      </ActionIcon>
    </Tooltip>
  )
}

/** Leads visitors without a session to the sign-in page and back. Nothing for those who are signed in. */
function SignInLink() {
  const me = useQuery(meQuery)
  const { pathname } = useLocation()
  if (me.data !== null) return null
  return (
    <Button
      component={Link}
      to={`/sign-in?to=${encodeURIComponent(pathname)}`}
      size="compact-sm"
      variant="subtle"
      color="gray"
    >
      Sign in
    </Button>
  )
}
