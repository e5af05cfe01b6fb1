import { Anchor, Title } from '@mantine/core'
import { findServiceAddress } from '../../api/public-path.ts'
import { IconExternalLink } from '../../shell/icons.ts'
import { LogoImage } from '../../shell/logo.tsx'
import { SolveBadge } from '../../solve-state/solve-badge.tsx'
import { useEditor } from '../state/store.ts'
import styles from './embed-line.module.css'

/** The name and state of a document in a frame, and a link to its own page, which opens in a tab of its own. */
export function EmbedLine() {
  const { document, summary } = useEditor()
  const { id, name } = document
  return (
    <header className={styles.line}>
      <Title order={1} size="sm" lineClamp={1}>
        {name}
      </Title>
      <SolveBadge summary={summary} size="sm" className={styles.state} />
      <Anchor
        href={`${findServiceAddress()}/documents/${id}`}
        target="_blank"
        rel="noopener"
        size="sm"
        className={styles.link ?? ''}
      >
        <LogoImage size={16} />
        Open in Meadow
        <IconExternalLink size={14} aria-hidden />
      </Anchor>
    </header>
  )
}
