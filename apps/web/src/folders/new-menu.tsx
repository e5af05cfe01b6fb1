import { ActionIcon, Button, Group } from '@mantine/core'
import { type AppFolder, createAppDocument, createAppFolder } from '@meadow/contract/web'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../api/call.ts'
import { type DroppedFile, sortDropped } from '../shell/dropped-files.ts'
import { IconFilePlus, IconFolderPlus, IconFolderUp, IconUpload } from '../shell/icons.ts'
import { NameDialog } from '../shell/name-dialog.tsx'
import { notifyText } from '../shell/notices.tsx'
import { addUploads } from '../shell/upload-queue.ts'
import { useFolderChange } from './items/folder-changes.ts'

/** The buttons that upload files and create folders and documents. */
export function NewMenu({ folder }: { folder: AppFolder }) {
  const onFiles = (files: readonly DroppedFile[]) => addUploads(folder, files)
  const [creating, setCreating] = useState<'folder' | 'document'>()
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const createFolder = useFolderChange((name: string) =>
    call(createAppFolder, { params: [folder.id], body: { name } }),
  )
  const createDocument = useFolderChange((name: string) =>
    call(createAppDocument, { params: [folder.id], body: { name } }),
  )
  return (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconUpload size={16} />} onClick={() => input.current?.click()}>
        Upload
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept=".gh,.ghx,.3dm,.ghuser,.ghcluster,.txt,.csv"
        aria-label="Files to upload"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])].map((file) => ({ file, folders: [] })))
          // Allows to choose the same file again.
          currentTarget.value = ''
        }}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Upload a folder"
        title="Upload a folder"
        onClick={() => chooseFolder(onFiles)}
      >
        <IconFolderUp size={16} />
      </ActionIcon>
      <Button
        variant="default"
        leftSection={<IconFolderPlus size={16} />}
        onClick={() => setCreating('folder')}
      >
        New folder
      </Button>
      <Button leftSection={<IconFilePlus size={16} />} onClick={() => setCreating('document')}>
        New document
      </Button>
      <NameDialog
        title={creating === 'folder' ? 'New folder' : 'New document'}
        action="Create"
        isOpen={creating !== undefined}
        close={() => setCreating(undefined)}
        save={async (name) => {
          if (creating === 'folder') await createFolder.mutateAsync(name)
          else {
            const { document } = await createDocument.mutateAsync(name)
            await navigate(`/documents/${document.id}`)
          }
        }}
      />
    </Group>
  )
}

/** Asks for a folder, whose files keep their places in it. Hidden ones are left out, as in an import. */
function chooseFolder(onFiles: (files: readonly DroppedFile[]) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.webkitdirectory = true
  input.onchange = () => {
    const chosen = [...(input.files ?? [])].map((file) => ({
      file,
      folders: file.webkitRelativePath.split('/').slice(0, -1),
    }))
    const shown = chosen.filter(
      ({ file, folders }) => ![...folders, file.name].some((name) => name.startsWith('.')),
    )
    const { accepted, refusal } = sortDropped(shown)
    if (refusal) notifyText(refusal)
    onFiles(accepted)
  }
  input.click()
}
