import { Box, Group, Table, Text, VisuallyHidden } from '@mantine/core'
import { formatBytes } from '@meadow/contract'
import type { AppFolder, FileSummary } from '@meadow/contract/web'
import { IconFolder } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { PublicMark } from '../sharing/public-mark.tsx'
import { notify } from '../shell/notices.tsx'
import { When } from '../shell/when.tsx'
import { SolveLink } from '../solve-state/solve-badge.tsx'
import { dropTarget, startDrag } from './drag-items.ts'
import { FileIcon, KIND_NAMES } from './file-icon.tsx'
import { type FolderItem, moveItem, useFolderChange } from './folder-changes.ts'
import styles from './folder-contents.module.css'
import { ItemMenu } from './item-menu.tsx'
import { Thumbnail } from './thumbnail.tsx'

/** The items directly inside a folder. They can be dragged onto folders. */
export function FolderContents({ folder, mayEdit }: { folder: AppFolder; mayEdit: boolean }) {
  if (folder.folders.length + folder.documents.length + folder.files.length === 0)
    return (
      <Text c="dimmed" ta="center" py="xl">
        {mayEdit
          ? 'This folder is empty. Upload or drop definitions (.gh, .ghx) and models (.3dm), or create a document.'
          : 'This folder is empty.'}
      </Text>
    )
  return (
    <Table highlightOnHover verticalSpacing={8} layout="fixed" aria-label="Contents">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th visibleFrom="sm" w={190}>
            State
          </Table.Th>
          <Table.Th visibleFrom="xs" w={130}>
            Changed
          </Table.Th>
          <Table.Th w={50}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {folder.folders.map(({ id, name, folders, documents, files }) => (
          <FolderRow
            key={id}
            item={{ kind: 'folder', id, name }}
            folder={folder}
            count={folders + documents + files}
            mayEdit={mayEdit}
          />
        ))}
        {folder.documents.map(({ id, name, updatedAt, visibility, ...summary }) => (
          <Table.Tr
            key={id}
            draggable={mayEdit}
            onDragStart={(event) => startDrag(event, { kind: 'document', id })}
          >
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                <Thumbnail documentId={id} summary={summary} size="row" />
                <div>
                  <Link to={`/documents/${id}`} className={styles.link}>
                    {name}
                  </Link>
                  <Box hiddenFrom="sm">
                    <SolveLink documentId={id} summary={summary} />
                  </Box>
                </div>
                <PublicMark visibility={visibility} />
              </Group>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <SolveLink documentId={id} summary={summary} />
            </Table.Td>
            <Table.Td visibleFrom="xs">
              <When at={updatedAt} />
            </Table.Td>
            <Table.Td>
              {mayEdit && <ItemMenu item={{ kind: 'document', id, name }} teamId={folder.teamId} />}
            </Table.Td>
          </Table.Tr>
        ))}
        {folder.files.map((file) => (
          <FileRow key={file.id} file={file} teamId={folder.teamId} mayEdit={mayEdit} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function FileRow({ file, teamId, mayEdit }: { file: FileSummary; teamId: string; mayEdit: boolean }) {
  const item: FolderItem = { kind: 'file', id: file.id, name: file.name }
  const facts = `${KIND_NAMES[file.kind]}, ${formatBytes(file.sizeBytes)}`
  return (
    <Table.Tr draggable={mayEdit} onDragStart={(event) => startDrag(event, item)}>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <FileIcon file={file} />
          <div>
            <Link to={`/files/${file.id}`} className={styles.link}>
              {file.name}
            </Link>
            <Text hiddenFrom="sm" size="xs" c="dimmed">
              {facts}
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm" c="dimmed">
          {facts}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="xs">
        <When at={file.updatedAt} />
      </Table.Td>
      <Table.Td>{mayEdit && <ItemMenu item={item} teamId={teamId} />}</Table.Td>
    </Table.Tr>
  )
}

function FolderRow({
  item,
  folder,
  count,
  mayEdit,
}: {
  item: FolderItem
  folder: AppFolder
  count: number
  mayEdit: boolean
}) {
  const navigate = useNavigate()
  const path = `/teams/${folder.teamId}/folders/${item.id}`
  const move = useFolderChange((moved: Pick<FolderItem, 'kind' | 'id'>) => moveItem(moved, item.id))
  return (
    <Table.Tr
      className={styles.row}
      draggable={mayEdit}
      onDragStart={(event) => startDrag(event, item)}
      onDoubleClick={() => void navigate(path)}
      {...(mayEdit && dropTarget(item.id, (moved) => move.mutate(moved, { onError: notify })))}
    >
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <IconFolder size={18} aria-hidden className={styles.icon} />
          <Link to={path} className={styles.link}>
            {item.name}
          </Link>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm" c="dimmed">
          {count === 1 ? '1 item' : `${count} items`}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="xs" />
      <Table.Td>{mayEdit && <ItemMenu item={item} teamId={folder.teamId} />}</Table.Td>
    </Table.Tr>
  )
}
