import { type ListSummary, readThumbnail } from '@meadow/contract/web'
import { useState } from 'react'
import { urlOf } from '../../api/call.ts'
import { IconClockExclamation, IconFileVector } from '../../shell/icons.ts'
import styles from './thumbnail.module.css'

interface ThumbnailProps {
  documentId: string
  summary: Pick<ListSummary, 'solve' | 'thumbnail'>
  /** `row`: 40 by 30 pixels. `card`: as wide as what it is in, and three quarters as high. */
  size: 'row' | 'card'
}

type Loading = 'loading' | 'loaded' | 'failed'

/** The picture of a document in a list: its geometry, or its graph; an icon when it cannot be read. Loads once it is seen. */
export function Thumbnail({ documentId, summary, size }: ThumbnailProps) {
  const { thumbnail } = summary
  const version = thumbnail?.version
  const source = urlOf(readThumbnail, [documentId], version === undefined ? undefined : { version })
  const [state, setState] = useState<{ source: string; loading: Loading }>()
  const loading = state?.source === source ? state.loading : 'loading'
  const set = (loading: Loading) => () => setState({ source, loading })
  const words = describeThumbnail(summary)
  const isOutdated = isThumbnailOutdated(summary)
  return (
    <span
      className={`${styles.box} ${styles[size]}`}
      title={words}
      data-loading={loading === 'loading' || undefined}
    >
      {loading === 'failed' ? (
        <IconFileVector size={size === 'row' ? 18 : 48} aria-hidden />
      ) : (
        <>
          <img
            key={source}
            src={source}
            alt={words}
            width={480}
            height={360}
            loading="lazy"
            decoding="async"
            draggable={false}
            className={styles.picture}
            data-loading={loading === 'loading' || undefined}
            data-outdated={isOutdated || undefined}
            onLoad={set('loaded')}
            onError={set('failed')}
          />
          {loading === 'loaded' && isOutdated && (
            <span className={styles.mark}>
              <IconClockExclamation size={size === 'row' ? 12 : 16} aria-hidden />
            </span>
          )}
        </>
      )}
    </span>
  )
}

/** Whether a picture shows something else than the document as it is now. */
const isThumbnailOutdated = ({ solve, thumbnail }: ThumbnailProps['summary']): boolean =>
  thumbnail?.kind === 'geometry' && (thumbnail.isOutdated || solve === 'failed')

/** What a picture shows, and what is wrong with it. */
function describeThumbnail(summary: ThumbnailProps['summary']): string {
  const { solve, thumbnail } = summary
  if (!thumbnail) return 'Picture of the document'
  if (thumbnail.kind === 'graph') return 'Picture of the graph'
  const what = thumbnail.isPartial ? 'Picture of a part of the geometry' : 'Picture of the geometry'
  if (!isThumbnailOutdated(summary)) return what
  const reason = solve === 'failed' ? 'the last solve failed' : 'the document has changed since'
  return `Earlier ${what[0]!.toLowerCase()}${what.slice(1)}: ${reason}`
}
