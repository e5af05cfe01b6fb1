import { Alert, Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { errorMessage } from '../api/call.ts'
import { FolderSelect } from '../shell/folder-select.tsx'
import { useFolderChange } from './folder-changes.ts'

interface MoveDialogProps {
  title: string
  move: (folderId: string) => Promise<unknown>
  teamId: string
  isOpen: boolean
  close: () => void
}

/** Asks for the folder that something is moved to. */
export function MoveDialog({ isOpen, title, ...props }: MoveDialogProps) {
  return (
    <Modal opened={isOpen} onClose={props.close} title={title}>
      <MoveForm {...props} />
    </Modal>
  )
}

function MoveForm({ move: moveTo, teamId, close }: Omit<MoveDialogProps, 'isOpen' | 'title'>) {
  const [folderId, setFolderId] = useState<string | null>(null)
  const move = useFolderChange(async () => {
    await moveTo(folderId!)
    close()
  })
  return (
    <>
      <FolderSelect isFirst label="To the folder" teamId={teamId} value={folderId} onChange={setFolderId} />
      {move.isError && (
        <Alert color="red" role="alert" mt="sm">
          {errorMessage(move.error)}
        </Alert>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button disabled={!folderId} loading={move.isPending} onClick={() => move.mutate(undefined)}>
          Move
        </Button>
      </Group>
    </>
  )
}
