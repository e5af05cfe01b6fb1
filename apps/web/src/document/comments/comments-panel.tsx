import { ActionIcon, Button, Indicator, Loader, SegmentedControl, Text, Tooltip } from '@mantine/core'
import type { GraphContent } from '@meadow/contract'
import { type CommentAnchor, type CommentThread, createThread, markCommentsRead } from '@meadow/contract/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import { meQuery } from '../../api/queries.ts'
import { Failure } from '../../shell/failure.tsx'
import { formatExact, formatSince } from '../../shell/format-time.ts'
import { IconChecks, IconMessage2Plus, IconPointer } from '../../shell/icons.ts'
import { notify } from '../../shell/notices.tsx'
import { useLabelWithKey } from '../keys/character-keys-switch.tsx'
import { refreshThreads } from '../live/threads-query.ts'
import { useEditor } from '../state/store.ts'
import type { Comments } from '../state/use-comments.ts'
import styles from './comments.module.css'
import { Composer, useMentionable } from './composer.tsx'
import { describeAnchor } from './describe-anchor.ts'
import { FORMER_MEMBER, type Mentionable } from './mentions.ts'
import { ThreadView } from './thread-view.tsx'

/** The comments about a document: the list, a thread, or a new comment. */
export function CommentsPanel() {
  const { comments } = useEditor()
  return comments && <OpenComments comments={comments} />
}

function OpenComments({ comments }: { comments: Comments }) {
  const { document, content, live, selectedIds, reveal } = useEditor()
  const { threads, threadId, isAnchoring, anchor } = comments
  const meId = useQuery(meQuery).data?.person.id ?? ''
  const people = useMentionable(document)
  const listed = threads?.find(({ id }) => id === threadId)
  const arrive = useEffectEvent((thread: CommentThread) => reveal(thread))
  const listedId = listed?.id
  // Each thread that is opened, here or by the address, is revealed once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place of a thread does not change.
  useEffect(() => {
    if (listed) arrive(listed)
  }, [listedId])
  const [selectedId] = selectedIds
  const own: CommentAnchor =
    selectedIds.size === 1 ? { kind: 'node', node: selectedId! } : { kind: 'document' }
  return isAnchoring ? (
    <div className={styles.hint} role="status">
      <Text size="sm">Click a node, a group, or a point of the geometry. Escape cancels.</Text>
      <Button size="compact-sm" variant="default" mt="xs" onClick={() => comments.setAnchor(own)}>
        {own.kind === 'node' ? 'On the selected node' : 'On the document'}
      </Button>
    </div>
  ) : anchor ? (
    <NewThread anchor={anchor} comments={comments} people={people} />
  ) : threadId !== undefined ? (
    <ThreadView
      key={threadId}
      document={document}
      threadId={threadId}
      listed={listed}
      content={content}
      people={people}
      meId={meId}
      colourOf={live?.colourOf}
      back={() => comments.show()}
      reveal={reveal}
    />
  ) : (
    <ThreadList comments={comments} onComment={() => comments.setAnchor(own)} />
  )
}

interface NewThreadProps {
  comments: Comments
  anchor: CommentAnchor
  people: readonly Mentionable[]
}

function NewThread({ anchor, comments, people }: NewThreadProps) {
  const { document, content } = useEditor()
  const queryClient = useQueryClient()
  const cancel = () => comments.setAnchor(undefined)
  return (
    <>
      <div className={styles.about}>
        <Text size="xs" c="dimmed" className={styles.aboutText}>
          {describeAnchor(anchor, content).text}
        </Text>
      </div>
      <Composer
        draftKey={`${document.id} new`}
        people={people}
        label="Comment"
        action="Comment"
        autoFocus
        cancel={cancel}
        send={async (text) => {
          const { thread } = await call(createThread, { params: [document.id], body: { anchor, text } })
          await refreshThreads(queryClient, document.id)
          comments.show(thread.id)
        }}
      />
    </>
  )
}

interface ThreadListProps {
  comments: Comments
  onComment: () => void
}

function ThreadList({ comments, onComment }: ThreadListProps) {
  const { document, content } = useEditor()
  const { threads, error, retry, unread } = comments
  const queryClient = useQueryClient()
  const [shown, setShown] = useState<'open' | 'resolved'>('open')
  const listed = (threads ?? []).filter(({ resolved }) => (resolved !== null) === (shown === 'resolved'))
  // Threads with news come first. The server has sorted both parts already.
  const sorted = [
    ...listed.filter(({ unread }) => unread > 0),
    ...listed.filter(({ unread }) => unread === 0),
  ]
  const readAll = () => {
    // Lists begin with the latest comment.
    const upTo = threads?.[0]?.lastCommentId
    if (upTo === undefined) return
    call(markCommentsRead, { params: [document.id], body: { upTo } }).then(
      () => refreshThreads(queryClient, document.id),
      notify,
    )
  }
  const pointLabel = useLabelWithKey('Click what to comment on', 'comment')
  return (
    <>
      <div className={styles.tools}>
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconMessage2Plus size={14} />}
          onClick={onComment}
        >
          New comment
        </Button>
        <Tooltip label={pointLabel}>
          <ActionIcon
            variant="light"
            aria-label="Click what to comment on"
            onClick={() => comments.setAnchoring(true)}
          >
            <IconPointer size={16} />
          </ActionIcon>
        </Tooltip>
        <span className={styles.space} />
        {unread > 0 && (
          <Tooltip label="Mark all as read">
            <ActionIcon variant="subtle" color="gray" aria-label="Mark all as read" onClick={readAll}>
              <IconChecks size={16} />
            </ActionIcon>
          </Tooltip>
        )}
        <SegmentedControl
          size="xs"
          aria-label="Which comments are shown"
          value={shown}
          onChange={(next) => setShown(next as typeof shown)}
          data={[
            { value: 'open', label: 'Open' },
            { value: 'resolved', label: 'Resolved' },
          ]}
        />
      </div>
      <div className={styles.scroll}>
        {!threads && !error && <Loader aria-label="Loading the comments" m="md" />}
        {error && !threads && <Failure error={error} retry={retry} />}
        {threads && sorted.length === 0 && (
          <Text size="sm" c="dimmed" p="md" role="status">
            {shown === 'open'
              ? 'There are no open comments. Press C, and click a node, a group or a point of the geometry.'
              : 'No comments are resolved.'}
          </Text>
        )}
        <ul className={styles.items} aria-label={shown === 'open' ? 'Open comments' : 'Resolved comments'}>
          {sorted.map((thread) => (
            <ThreadItem
              key={thread.id}
              thread={thread}
              content={content}
              onChoose={() => comments.show(thread.id)}
            />
          ))}
        </ul>
      </div>
    </>
  )
}

interface ThreadItemProps {
  thread: CommentThread
  content: GraphContent
  onChoose: () => void
}

function ThreadItem({ thread, content, onChoose }: ThreadItemProps) {
  const { author, excerpt, comments, lastCommentAt, unread, isMentioned, anchor } = thread
  const replies = comments - 1
  return (
    <li>
      <button
        type="button"
        className={styles.thread}
        onClick={onChoose}
        data-unread={unread > 0 || undefined}
      >
        <span className={styles.by}>
          {unread > 0 && <Indicator inline size={8} position="middle-center" color="red" mr={8} />}
          <bdi className={styles.name}>{author?.name ?? FORMER_MEMBER}</bdi>
          <time className={styles.when} dateTime={lastCommentAt} title={formatExact(lastCommentAt)}>
            {formatSince(lastCommentAt)}
          </time>
        </span>
        <span className={styles.excerpt} dir="auto">
          {excerpt}
        </span>
        <span className={styles.when}>
          {[
            describeAnchor(anchor, content).text,
            ...(replies > 0 ? [replies === 1 ? '1 reply' : `${replies} replies`] : []),
            ...(unread > 0 ? [`${unread} unread`] : []),
            ...(isMentioned ? ['mentions you'] : []),
          ].join(' · ')}
        </span>
      </button>
    </li>
  )
}
