import { ActionIcon, Menu } from '@mantine/core'
import { askForSolve, downloadFile, duplicateDocument, exportFromEditor } from '@meadow/contract/web'
import { useRef, useState } from 'react'
import { call, urlOf } from '../../api/call.ts'
import { findServiceAddress } from '../../api/public-path.ts'
import { LazyShareDialog } from '../../sharing/lazy-share-dialog.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import {
  IconAdjustments,
  IconBox,
  IconCopy,
  IconDots,
  IconDownload,
  IconFolderShare,
  IconPencil,
  IconPlayerPlay,
  IconShare,
  IconTrash,
} from '../../shell/icons.ts'
import { NameDialog } from '../../shell/name-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { binItem, type FolderItem, moveItem, renameItem, useFolderChange } from './folder-changes.ts'
import { MoveDialog } from './move-dialog.tsx'
import { SolveDialog } from './solve-dialog.tsx'

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
  const [open, setOpen] = useState<'solve' | 'rename' | 'share' | 'move' | 'bin'>()
  const target = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(undefined)
  const choose = (dialog: typeof open) => () => setOpen(dialog)
  const rename = useFolderChange((name: string) => renameItem(item, name))
  const duplicate = useFolderChange(() => call(duplicateDocument, { params: [item.id], body: {} }))
  const solve = useFolderChange(() => call(askForSolve, { params: [item.id] }))
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
          {item.kind === 'document' && <DocumentItems id={item.id} onSolve={choose('solve')} />}
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
        <>
          <SolveDialog
            teamId={teamId}
            documents={[item]}
            isOpen={open === 'solve'}
            close={close}
            solve={() => solve.mutateAsync(undefined)}
          />
          <LazyShareDialog documentId={item.id} name={item.name} isOpen={open === 'share'} close={close} />
        </>
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

/** What a document is used for: solve it, look at it without its graph, download it. */
function DocumentItems({ id, onSolve }: { id: string; onSolve: () => void }) {
  const download = (format: '.gh' | '.3dm') =>
    call(exportFromEditor, { params: [id], body: { format } }).then(
      // The response is an attachment, so the browser stays on the page.
      ({ export: { url } }) => location.assign(url),
      notify,
    )
  return (
    <>
      <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={onSolve}>
        Solve
      </Menu.Item>
      <Menu.Item
        component="a"
        href={`${findServiceAddress()}/play/${id}`}
        leftSection={<IconAdjustments size={16} />}
      >
        Open the player
      </Menu.Item>
      <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => void download('.gh')}>
        Download (.gh)
      </Menu.Item>
      <Menu.Item leftSection={<IconBox size={16} />} onClick={() => void download('.3dm')}>
        Download the model (.3dm)
      </Menu.Item>
      <Menu.Divider />
    </>
  )
}
