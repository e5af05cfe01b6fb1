import { ActionIcon, Menu } from '@mantine/core'
import { downloadFile, duplicateDocument } from '@meadow/contract/web'
import { useRef, useState } from 'react'
import { call, urlOf } from '../../api/call.ts'
import { LazyShareDialog } from '../../sharing/lazy-share-dialog.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import {
  IconCopy,
  IconDots,
  IconDownload,
  IconFolderShare,
  IconPencil,
  IconShare,
  IconTrash,
} from '../../shell/icons.ts'
import { NameDialog } from '../../shell/name-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { binItem, type FolderItem, moveItem, renameItem, useFolderChange } from './folder-changes.ts'
import { MoveDialog } from './move-dialog.tsx'

/** The menu of a folder, document or file, with its dialogs. `onDeleted` is called when it is in the bin. */
export function ItemMenu({
  item,
  teamId,
  onDeleted,
  isOpenAtFirst = false,
}: {
  item: FolderItem
  teamId: string
  onDeleted?: () => void
  /** Whether the menu is open at first, for a list that makes it when its button is pressed. */
  isOpenAtFirst?: boolean
}) {
  const [open, setOpen] = useState<'rename' | 'share' | 'move' | 'bin'>()
  const target = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(undefined)
  const choose = (dialog: typeof open) => () => setOpen(dialog)
  const rename = useFolderChange((name: string) => renameItem(item, name))
  const duplicate = useFolderChange(() => call(duplicateDocument, { params: [item.id], body: {} }))
  const bin = useFolderChange(async () => {
    await binItem(item)
    close()
    onDeleted?.()
  })
  return (
    <>
      <Menu
        position="bottom-end"
        width={200}
        defaultOpened={isOpenAtFirst}
        // The button that had the focus before was another element, so the menu cannot return the focus to it.
        {...(isOpenAtFirst && { onClose: () => target.current?.focus() })}
      >
        <Menu.Target>
          <ActionIcon ref={target} variant="subtle" color="gray" aria-label={`Actions for ${item.name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {item.kind === 'file' && (
            <Menu.Item
              component="a"
              href={urlOf(downloadFile, [item.id])}
              download
              leftSection={<IconDownload size={16} />}
            >
              Download
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={choose('rename')}>
            Rename
          </Menu.Item>
          {item.kind === 'document' && (
            <Menu.Item leftSection={<IconShare size={16} />} onClick={choose('share')}>
              Share
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconFolderShare size={16} />} onClick={choose('move')}>
            Move
          </Menu.Item>
          {item.kind === 'document' && (
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
        title={`Rename “${item.name}”`}
        action="Rename"
        initialName={item.name}
        isOpen={open === 'rename'}
        close={close}
        save={rename.mutateAsync}
      />
      {item.kind === 'document' && (
        <LazyShareDialog documentId={item.id} name={item.name} isOpen={open === 'share'} close={close} />
      )}
      <MoveDialog
        title={`Move “${item.name}”`}
        move={(folderId) => moveItem(item, folderId)}
        teamId={teamId}
        isOpen={open === 'move'}
        close={close}
      />
      <ConfirmDialog
        isOpen={open === 'bin'}
        close={close}
        title={`Delete “${item.name}”?`}
        text={
          item.kind === 'folder'
            ? 'The folder goes to the bin with all that is inside. It can be restored from there.'
            : `The ${item.kind} goes to the bin. It can be restored from there.`
        }
        action="Delete"
        run={() => bin.mutateAsync(undefined)}
      />
    </>
  )
}
