import { Button, Group } from '@mantine/core'
import { type AppFolder, createAppDocument, createAppFolder } from '@meadow/contract/web'
import { IconFilePlus, IconFolderPlus, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../api/call.ts'
import { NameDialog } from '../shell/name-dialog.tsx'
import { useFolderChange } from './folder-changes.ts'
import type { Uploads } from './use-uploads.ts'

/** The buttons that upload files and create folders and documents. */
export function NewMenu({ folder, onFiles }: { folder: AppFolder; onFiles: Uploads['add'] }) {
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
        accept=".gh,.ghx,.3dm,.ghuser,.ghcluster"
        aria-label="Files to upload"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])].map((file) => ({ file, folders: [] })))
          // Allows to choose the same file again.
          currentTarget.value = ''
        }}
      />
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
