import { Alert, Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { errorMessage } from '../api/call.ts'
import { FolderSelect } from '../shell/folder-select.tsx'
import { type FolderItem, moveItem, useFolderChange } from './folder-changes.ts'

interface MoveDialogProps {
  item: FolderItem
  teamId: string
  isOpen: boolean
  close: () => void
}

/** Moves a folder or document to another folder. */
export function MoveDialog({ isOpen, ...props }: MoveDialogProps) {
  return (
    <Modal opened={isOpen} onClose={props.close} title={`Move “${props.item.name}”`}>
      <MoveForm {...props} />
    </Modal>
  )
}

function MoveForm({ item, teamId, close }: Omit<MoveDialogProps, 'isOpen'>) {
  const [folderId, setFolderId] = useState<string | null>(null)
  const move = useFolderChange(async () => {
    await moveItem(item, folderId!)
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
