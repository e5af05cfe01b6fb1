import { Button, Group } from '@mantine/core'
import { type AppFolder, createAppDocument, createAppFolder } from '@meadow/contract/web'
import { IconFilePlus, IconFolderPlus, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../api/call.ts'
import { NameDialog } from '../shell/name-dialog.tsx'
import { useFolderChange } from './folder-changes.ts'

/** What can be made in a folder. */
export function NewMenu({
  folder,
  onFiles,
}: {
  folder: AppFolder
  onFiles: (files: readonly File[]) => void
}) {
  const [making, setMaking] = useState<'folder' | 'document'>()
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const makeFolder = useFolderChange((name: string) =>
    call(createAppFolder, { params: [folder.id], body: { name } }),
  )
  const makeDocument = useFolderChange((name: string) =>
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
        accept=".gh,.ghx"
        aria-label="Files to upload"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // So that the same file can be chosen again.
          currentTarget.value = ''
        }}
      />
      <Button
        variant="default"
        leftSection={<IconFolderPlus size={16} />}
        onClick={() => setMaking('folder')}
      >
        New folder
      </Button>
      <Button leftSection={<IconFilePlus size={16} />} onClick={() => setMaking('document')}>
        New document
      </Button>
      <NameDialog
        title={making === 'folder' ? 'New folder' : 'New document'}
        action="Create"
        isOpen={making !== undefined}
        close={() => setMaking(undefined)}
        save={async (name) => {
          if (making === 'folder') await makeFolder.mutateAsync(name)
          else {
            const { document } = await makeDocument.mutateAsync(name)
            await navigate(`/documents/${document.id}`)
          }
        }}
      />
    </Group>
  )
}
