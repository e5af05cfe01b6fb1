import { Alert, Button, Group, Modal, Select } from '@mantine/core'
import { readFolderTree } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../api/call.ts'
import { queryOf } from '../api/queries.ts'
import { folderOptions } from '../shell/folder-options.ts'
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
  const tree = useQuery(queryOf(readFolderTree, { params: [teamId] }))
  const move = useFolderChange(async () => {
    await moveTo(folderId!)
    close()
  })
  return (
    <>
      <Select
        label="To the folder"
        searchable
        data-autofocus
        nothingFoundMessage="No folder has that name"
        data={folderOptions(tree.data?.folders ?? [])}
        value={folderId}
        onChange={setFolderId}
      />
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
