import { ActionIcon, Menu, TextInput } from '@mantine/core'
import {
  type AppBody,
  type AppDocument,
  changeVersion,
  copyVersion,
  type DocumentVersion,
  deleteVersion,
  exportVersion,
} from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../api/call.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { FolderSelect } from '../../shell/folder-select.tsx'
import { FormDialog } from '../../shell/form.tsx'
import {
  IconBox,
  IconCopy,
  IconDots,
  IconFileVector,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconTrash,
} from '../../shell/icons.ts'
import { NameDialog } from '../../shell/name-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { labelOfVersion } from './describe-version.ts'
import { refreshVersions } from './use-versions.ts'

interface VersionActionsProps {
  document: AppDocument
  version: DocumentVersion
  mayEdit: boolean
  /** Called after the version was deleted. */
  onDeleted: () => void
}

/** The menu of a version. */
export function VersionActions({ document, version, mayEdit, onDeleted }: VersionActionsProps) {
  const [dialog, setDialog] = useState<'name' | 'copy' | 'delete'>()
  const close = () => setDialog(undefined)
  const queryClient = useQueryClient()
  const params = [document.id, version.id]
  const change = useMutation({
    mutationFn: (body: AppBody<typeof changeVersion>) => call(changeVersion, { params, body }),
    onSuccess: () => refreshVersions(queryClient),
  })
  const download = useMutation({
    mutationFn: (body: AppBody<typeof exportVersion>) => call(exportVersion, { params, body }),
    onError: notify,
    onSuccess: ({ export: { url } }) => location.assign(url),
  })
  const { isPinned, name, solutionId } = version
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon variant="default" aria-label="More about this version" loading={download.isPending}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown maw="calc(100vw - 16px)">
          {mayEdit && (
            <>
              <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setDialog('name')}>
                {name === null ? 'Name this version' : 'Rename'}
              </Menu.Item>
              {name !== null && (
                <Menu.Item
                  leftSection={<IconPencil size={16} />}
                  onClick={() => change.mutate({ name: null }, { onError: notify })}
                >
                  Remove the name
                </Menu.Item>
              )}
              <Menu.Item
                leftSection={isPinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
                onClick={() => change.mutate({ isPinned: !isPinned }, { onError: notify })}
              >
                {isPinned ? 'Unpin' : 'Pin, to keep it'}
              </Menu.Item>
              <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => setDialog('copy')}>
                Copy as a new document
              </Menu.Item>
              <Menu.Divider />
            </>
          )}
          <Menu.Item
            leftSection={<IconFileVector size={16} />}
            onClick={() => download.mutate({ format: '.gh' })}
          >
            Export the definition (.gh)
          </Menu.Item>
          <Menu.Item
            leftSection={<IconBox size={16} />}
            disabled={solutionId === null}
            onClick={() => download.mutate({ format: '.3dm', modelerVersion: '8' })}
          >
            {solutionId === null ? 'No model: its solution is not kept' : 'Export the Rhino 8 model (.3dm)'}
          </Menu.Item>
          {document.role === 'owner' && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => setDialog('delete')}>
                Delete permanently
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <NameDialog
        title={name === null ? 'Name this version' : 'Rename this version'}
        action="Save"
        initialName={name ?? ''}
        isOpen={dialog === 'name'}
        close={close}
        save={(next) => change.mutateAsync({ name: next })}
      />
      <CopyDialog document={document} version={version} isOpen={dialog === 'copy'} close={close} />
      <ConfirmDialog
        isOpen={dialog === 'delete'}
        close={close}
        title="Delete this version?"
        text={`“${labelOfVersion(version)}” cannot be brought back. The document stays as it is.`}
        action="Delete"
        run={async () => {
          await call(deleteVersion, { params })
          onDeleted()
          await refreshVersions(queryClient)
        }}
      />
    </>
  )
}

interface CopyDialogProps extends Pick<VersionActionsProps, 'document' | 'version'> {
  isOpen: boolean
  close: () => void
}

/** Makes a new document of a version, in a folder of the team. */
function CopyDialog({ document, version, isOpen, close }: CopyDialogProps) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return (
    <FormDialog
      title="Copy as a new document"
      action="Copy"
      isOpen={isOpen}
      close={close}
      initial={{
        name: `${document.name}, ${labelOfVersion(version)}`.slice(0, 255),
        folderId: document.path.at(-1)?.id ?? null,
      }}
      save={({ name, folderId }) =>
        call(copyVersion, {
          params: [document.id, version.id],
          body: { name, ...(folderId !== null && { folderId }) },
        })
      }
      onSaved={async (copy) => {
        close()
        await navigate(`/documents/${copy.document.id}`)
        await queryClient.invalidateQueries()
      }}
    >
      {({ text, choice }) => (
        <>
          <TextInput label="Name" required data-autofocus mb="sm" {...text('name')} />
          <FolderSelect isRequired label="In the folder" teamId={document.team?.id} {...choice('folderId')} />
        </>
      )}
    </FormDialog>
  )
}
