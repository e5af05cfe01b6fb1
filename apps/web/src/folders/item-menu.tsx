import { ActionIcon, Menu } from '@mantine/core'
import { duplicateDocument } from '@meadow/contract/web'
import { IconCopy, IconDots, IconFolderShare, IconPencil, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { call } from '../api/call.ts'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'
import { NameDialog } from '../shell/name-dialog.tsx'
import { notify } from '../shell/notices.tsx'
import { binItem, type FolderItem, renameItem, useFolderChange } from './folder-changes.ts'
import { MoveDialog } from './move-dialog.tsx'

/** What can be done with a folder or document. */
export function ItemMenu({ thing, teamId }: { thing: FolderItem; teamId: string }) {
  const [open, setOpen] = useState<'rename' | 'move' | 'bin'>()
  const target = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(undefined)
  /** The dialog gives the focus back to where it was: the menu is gone then. */
  const choose = (dialog: typeof open) => () => {
    target.current?.focus()
    setOpen(dialog)
  }
  const rename = useFolderChange((name: string) => renameItem(thing, name))
  const duplicate = useFolderChange(() => call(duplicateDocument, { params: [thing.id], body: {} }))
  const bin = useFolderChange<void, unknown>(async () => {
    await binItem(thing)
    close()
  })
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon ref={target} variant="subtle" color="gray" aria-label={`Actions for ${thing.name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={choose('rename')}>
            Rename
          </Menu.Item>
          <Menu.Item leftSection={<IconFolderShare size={16} />} onClick={choose('move')}>
            Move
          </Menu.Item>
          {thing.kind === 'document' && (
            <Menu.Item
              leftSection={<IconCopy size={16} />}
              onClick={() => duplicate.mutate(undefined, { onError: notify })}
            >
              Duplicate
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item c="red" leftSection={<IconTrash size={16} />} onClick={choose('bin')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <NameDialog
        title={`Rename “${thing.name}”`}
        action="Rename"
        initialName={thing.name}
        isOpen={open === 'rename'}
        close={close}
        save={async (name) => void (await rename.mutateAsync(name))}
      />
      <MoveDialog thing={thing} teamId={teamId} isOpen={open === 'move'} close={close} />
      <ConfirmDialog
        isOpen={open === 'bin'}
        close={close}
        title={`Delete “${thing.name}”?`}
        text={
          thing.kind === 'folder'
            ? 'The folder goes to the bin with all that is inside. It can be restored from there.'
            : 'The document goes to the bin. It can be restored from there.'
        }
        action="Delete"
        mutation={bin}
      />
    </>
  )
}
