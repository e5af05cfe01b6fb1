import { FolderSelect } from '../../shell/folder-select.tsx'
import { FormDialog } from '../../shell/form.tsx'
import { useFolderChange } from './folder-changes.ts'

interface MoveDialogProps {
  title: string
  move: (folderId: string) => Promise<unknown>
  teamId: string
  isOpen: boolean
  close: () => void
}

/** Asks for the folder that something is moved to. */
export function MoveDialog({ teamId, move, ...dialog }: MoveDialogProps) {
  const { mutateAsync: moveTo } = useFolderChange(move)
  return (
    <FormDialog
      {...dialog}
      action="Move"
      initial={{ folderId: null as string | null }}
      isIncomplete={({ folderId }) => folderId === null}
      save={({ folderId }) => moveTo(folderId!)}
    >
      {({ choice }) => <FolderSelect isFirst label="To the folder" teamId={teamId} {...choice('folderId')} />}
    </FormDialog>
  )
}
