import { Anchor, Badge, Button, Title } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { AppDocument } from '@meadow/contract/web'
import { findServiceAddress, isEmbedded } from '../api/public-path.ts'
import { IconCheck, IconExternalLink, IconLink, IconRestore, IconSchema } from '../icons.ts'
import { LogoImage } from '../shell/logo.tsx'
import { ExportMenu } from './export-menu.tsx'
import styles from './player.module.css'
import type { Player } from './use-player.ts'

interface PlayerHeaderProps {
  document: AppDocument
  player: Player
}

/** The name of the document, and what can be done with what is seen. In a frame, one line. */
export function PlayerHeader({ document, player }: PlayerHeaderProps) {
  const address = findServiceAddress()
  const link = `${address}/play/${document.id}${player.query && `?${player.query}`}`
  const isFramed = isEmbedded()
  return (
    <header className={styles.header}>
      <Title order={1} size="h5" lineClamp={1} className={styles.name}>
        {document.name}
      </Title>
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
      {isFramed ? (
        <Anchor href={link} target="_blank" rel="noopener" size="sm" className={styles.open ?? ''}>
          <LogoImage size={16} />
          Open in Meadow
          <IconExternalLink size={14} aria-hidden />
        </Anchor>
      ) : (
        <>
          <CopyLink link={link} name={document.name} />
          {document.role && <ExportMenu document={document} player={player} />}
          <Button
            component="a"
            href={`${address}/documents/${document.id}`}
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconSchema size={14} />}
          >
            Graph
          </Button>
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
