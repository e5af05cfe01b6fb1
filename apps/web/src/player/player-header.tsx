import { Anchor, Badge, Button, NativeSelect, Title } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { type AppDocument, readEditorScene, readScene } from '@meadow/contract/web'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError, call } from '../api/call.ts'
import { findServiceAddress, isEmbedded } from '../api/public-path.ts'
import { download } from '../shell/download.ts'
import {
  IconCheck,
  IconDownload,
  IconExternalLink,
  IconLink,
  IconRestore,
  IconSchema,
} from '../shell/icons.ts'
import { LogoImage } from '../shell/logo.tsx'
import { Notices, notify } from '../shell/notices.tsx'
import styles from './player.module.css'
import type { Player } from './use-player.ts'
import type { ModelFormat } from './write-model.ts'

interface PlayerHeaderProps {
  document: AppDocument
  player: Player
}

/** The name of the document, and what can be done with what is seen. */
export function PlayerHeader({ document, player }: PlayerHeaderProps) {
  return (
    <HeaderBar
      documentId={document.id}
      name={document.name}
      query={player.query}
      more={
        <>
          {document.role && <ExportMenu document={document} player={player} />}
          <Button
            component="a"
            href={`${findServiceAddress()}/documents/${document.id}`}
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconSchema size={14} />}
          >
            Graph
          </Button>
        </>
      }
    >
      {player.seen === 'preview' && (
        <Badge variant="light" color="blue" tt="none" flex="none">
          Preview
        </Badge>
      )}
      <span className={styles.space} />
      {player.isChanged && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRestore size={14} />}
          onClick={player.reset}
        >
          Reset
        </Button>
      )}
    </HeaderBar>
  )
}

interface HeaderBarProps {
  documentId: string
  name: string
  /** The values in the address, without a question mark. */
  query?: string
  /** What stands between the name and the link. */
  children?: ReactNode
  /** What stands behind the link. */
  more?: ReactNode
}

/** The name of a document and the link of its player. In a frame, one line without `more`. */
export function HeaderBar({ documentId, name, query = '', children, more }: HeaderBarProps) {
  const link = `${findServiceAddress()}/play/${documentId}${query && `?${query}`}`
  return (
    <header className={styles.header}>
      <Title order={1} size="h5" lineClamp={1} className={styles.name}>
        {name}
      </Title>
      {children}
      {isEmbedded() ? (
        <Anchor href={link} target="_blank" rel="noopener" size="sm" className={styles.open ?? ''}>
          <LogoImage size={16} />
          Open in Meadow
          <IconExternalLink size={14} aria-hidden />
        </Anchor>
      ) : (
        <>
          <CopyLink link={link} name={name} />
          {more}
        </>
      )}
    </header>
  )
}

/** Copies the address with the values that are seen; on a phone it opens the phone's own list of ways to send it. */
function CopyLink({ link, name }: { link: string; name: string }) {
  const { copied, copy } = useClipboard({ timeout: 2000 })
  const send = () => {
    const data = { title: name, url: link }
    if (matchMedia('(pointer: coarse)').matches && navigator.canShare?.(data))
      // Whoever closes the list does not want to send the link.
      navigator.share(data).catch(() => {})
    else copy(link)
  }
  return (
    <Button
      size="compact-sm"
      variant="light"
      leftSection={copied ? <IconCheck size={14} /> : <IconLink size={14} />}
      onClick={send}
    >
      {copied ? 'Copied' : 'Copy link'}
    </Button>
  )
}

const FORMATS: { format: ModelFormat; label: string }[] = [
  { format: 'glb', label: 'glTF model (.glb)' },
  { format: 'obj', label: 'Wavefront model (.obj)' },
  { format: 'stl', label: 'Mesh for printing (.stl)' },
]

/** Makes a file of the geometry that is seen, in the browser. For members of the team. */
function ExportMenu({ document, player }: { document: AppDocument; player: Player }) {
  const { isCurrent, isRough, solutionId, scene, units, hiddenIds } = player
  const exporting = useMutation({
    async mutationFn(format: ModelFormat) {
      // The stored solution is seen in rounded numbers: the file has the exact ones.
      const exact = solutionId
        ? readScene(
            (await call(readEditorScene, { params: [document.id, solutionId] })).buffer as ArrayBuffer,
          )
        : scene
      if (!exact) throw new ApiError(0, 'There is no geometry to export.')
      const { writeModel } = await import('./write-model.ts')
      const isShown = (nodeId: string) => !hiddenIds.has(nodeId)
      // As in other exports, the name has no character that a system refuses.
      const name = document.name.replaceAll(/[\\/:*?"<>|]/g, '_')
      download(`${name}.${format}`, [await writeModel({ scene: exact, isShown, units, format })])
    },
    onError: notify,
  })
  return (
    <>
      <NativeSelect
        aria-label="Export"
        size="xs"
        w={124}
        leftSection={<IconDownload size={14} aria-hidden />}
        disabled={!scene || !isCurrent || isRough || exporting.isPending}
        title={isCurrent ? undefined : 'Wait until what you see is of your values.'}
        data={[
          { value: '', label: exporting.isPending ? 'Making the file …' : 'Export' },
          ...FORMATS.map(({ format, label }) => ({ value: format, label })),
        ]}
        value=""
        onChange={({ currentTarget: { value } }) => value && exporting.mutate(value as ModelFormat)}
      />
      <Notices />
    </>
  )
}
