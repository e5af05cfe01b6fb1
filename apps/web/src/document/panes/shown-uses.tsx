import { Anchor, CloseButton } from '@mantine/core'
import { listUsingNodes } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { queryOf } from '../../api/queries.ts'
import { describeFound, readUsesFragment, usesPath } from '../../uses/describe-uses.ts'
import { useRevealAll } from '../graph/canvas/viewport.ts'
import { useEditor } from '../state/store.ts'
import styles from './panes.module.css'

/**
 * Selects nodes in a document that was opened from a list of uses, brings them into view and says how many they are.
 */
export function ShownUses() {
  const { document, content, select } = useEditor()
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  const reveal = useRevealAll()
  const reference = document.team ? readUsesFragment(hash) : undefined
  const { data } = useQuery({
    ...queryOf(listUsingNodes, {
      params: [document.id],
      query: reference ?? { kind: 'component', key: '-' },
    }),
    enabled: reference !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (!data?.nodes || shown.current === hash) return
    const ids = [...new Set(data.nodes.map(({ nodeInstanceId }) => nodeInstanceId))]
    const nodes = ids.flatMap((id) => content.nodes[id] ?? [])
    // The canvas has its size, and so its view, one render later.
    if (nodes.length > 0 && !reveal(nodes)) return
    shown.current = hash
    select(new Set(nodes.map(({ instanceId }) => instanceId)))
  })
  if (!reference || !data) return null
  return (
    <div className={styles.usesBar} role="status">
      <span className={styles.usesText}>{describeFound(data.nodes)}</span>
      <Anchor component={Link} size="sm" to={usesPath(document.team!.id, reference)}>
        All documents that use it
      </Anchor>
      <CloseButton
        aria-label="Dismiss"
        onClick={() => void navigate({ search, hash: '' }, { replace: true })}
      />
    </div>
  )
}
