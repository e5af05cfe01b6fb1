import { ActionIcon, Anchor, Avatar, Button, Loader, Menu, Text, Tooltip } from '@mantine/core'
import { useDocumentVisibility } from '@mantine/hooks'
import type { GraphContent } from '@meadow/contract'
import {
  type AppDocument,
  addComment,
  type Comment,
  type CommentThread,
  changeComment,
  changeThread,
  deleteComment,
  markCommentsRead,
  readThread,
  type ThreadAnswer,
} from '@meadow/contract/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { findServiceAddress } from '../../api/public-path.ts'
import { queryOf } from '../../api/queries.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { CopyButton } from '../../shell/copy-button.tsx'
import { Failure } from '../../shell/failure.tsx'
import { IconArrowLeft, IconCheck, IconDots, IconFocus2, IconLink, IconRotate } from '../../shell/icons.ts'
import { notify } from '../../shell/notices.tsx'
import { When } from '../../shell/when.tsx'
import { refreshThreads } from '../live/threads-query.ts'
import styles from './comments.module.css'
import { Composer } from './composer.tsx'
import { describeAnchor } from './describe-anchor.ts'
import { decodeMentions, FORMER_MEMBER, type Mentionable, splitText } from './mentions.ts'

/** The colour of a person, by user id, as everywhere on the page. */
export type ColourOf = ((userId: string) => string) | undefined

interface ThreadViewProps {
  document: AppDocument
  threadId: string
  /** The thread as in the list; undefined while the list is loaded. */
  listed: CommentThread | undefined
  content: GraphContent
  people: readonly Mentionable[]
  meId: string
  colourOf: ColourOf
  back: () => void
  reveal: (thread: CommentThread) => void
}

/** A thread with its comments, and the field for a reply. */
export function ThreadView(props: ThreadViewProps) {
  const { document, threadId, listed, content, people, meId, colourOf, back, reveal } = props
  const queryClient = useQueryClient()
  const request = queryOf(readThread, { params: [document.id, threadId] })
  const query = useQuery(request)
  const thread = listed ?? query.data?.thread
  const visibility = useDocumentVisibility()
  const lastId = query.data?.thread.lastCommentId
  const unread = listed?.unread ?? query.data?.thread.unread ?? 0
  useEffect(() => {
    if (visibility !== 'visible' || unread === 0 || lastId === undefined) return
    call(markCommentsRead, { params: [document.id], body: { upTo: lastId, thread: threadId } }).then(
      () => refreshThreads(queryClient, document.id),
      notify,
    )
  }, [visibility, unread, lastId, document.id, threadId, queryClient])

  const update = (answer: ThreadAnswer) => {
    queryClient.setQueryData(request.queryKey, answer)
    return refreshThreads(queryClient, document.id)
  }
  const setResolved = (isResolved: boolean) =>
    call(changeThread, { params: [document.id, threadId], body: { isResolved } }).then(update, notify)
  const anchor = thread && describeAnchor(thread.anchor, content)
  const mayReveal = thread && !anchor?.isGone && thread.anchor.kind !== 'document'
  return (
    <>
      <div className={styles.threadHead}>
        <Button size="compact-sm" variant="subtle" leftSection={<IconArrowLeft size={14} />} onClick={back}>
          All comments
        </Button>
        <span className={styles.space} />
        {thread && (
          <>
            <CopyButton value={`${findServiceAddress()}/documents/${document.id}?comment=${threadId}`}>
              {({ copied, copy }) => (
                <Tooltip label={copied ? 'Copied' : 'Copy the link'}>
                  <ActionIcon variant="subtle" color="gray" aria-label="Copy the link" onClick={copy}>
                    {copied ? <IconCheck size={16} /> : <IconLink size={16} />}
                  </ActionIcon>
                </Tooltip>
              )}
            </CopyButton>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={thread.resolved ? <IconRotate size={14} /> : <IconCheck size={14} />}
              onClick={() => void setResolved(thread.resolved === null)}
            >
              {thread.resolved ? 'Reopen' : 'Resolve'}
            </Button>
          </>
        )}
      </div>
      {thread && anchor && (
        <div className={styles.about}>
          <Text size="xs" c="dimmed" className={styles.aboutText}>
            {anchor.text}
          </Text>
          {mayReveal && (
            <Tooltip label="Show the place">
              <ActionIcon
                variant="subtle"
                color="gray"
                size={24}
                aria-label="Show the place"
                onClick={() => reveal(thread)}
              >
                <IconFocus2 size={15} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      )}
      <div className={styles.scroll}>
        {query.isPending && <Loader aria-label="Loading the comments" m="md" />}
        {query.error && <Failure error={query.error} retry={query.refetch} />}
        <ol className={styles.items} aria-label="Comments of the thread">
          {query.data?.comments.map((comment) => (
            <CommentItem
              key={comment.id}
              comment={comment}
              meId={meId}
              colour={comment.author ? colourOf?.(comment.author.id) : undefined}
              isOwner={document.role === 'owner'}
              people={people}
              save={async (text) => {
                await update(
                  await call(changeComment, { params: [document.id, threadId, comment.id], body: { text } }),
                )
              }}
              remove={async () => {
                await call(deleteComment, { params: [document.id, threadId, comment.id] })
                if (query.data?.comments.length === 1) back()
                else await query.refetch()
                await refreshThreads(queryClient, document.id)
              }}
            />
          ))}
        </ol>
        {thread?.resolved && (
          <Text size="xs" c="dimmed" px="md" pb="xs" role="status">
            Resolved by {thread.resolved.by?.name ?? FORMER_MEMBER.toLowerCase()}. A reply opens it again.
          </Text>
        )}
        {query.data && (
          <Composer
            key={threadId}
            draftKey={threadId}
            people={people}
            label="Reply"
            action="Reply"
            send={async (text) =>
              update(await call(addComment, { params: [document.id, threadId], body: { text } }))
            }
          />
        )}
      </div>
    </>
  )
}

interface CommentItemProps {
  comment: Comment
  meId: string
  colour: string | undefined
  isOwner: boolean
  people: readonly Mentionable[]
  save: (text: string) => Promise<void>
  remove: () => Promise<void>
}

function CommentItem({ comment, meId, colour, isOwner, people, save, remove }: CommentItemProps) {
  const { author, createdAt, editedAt } = comment
  const [isEditing, setIsEditing] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
  const isOwn = author?.id === meId
  const name = author?.name ?? FORMER_MEMBER
  return (
    <li className={styles.comment}>
      <Avatar name={name} color={colour ?? 'dark'} variant="filled" size={26} alt="" />
      <div className={styles.body}>
        <div className={styles.by}>
          <Text size="sm" fw={600} component="bdi" className={styles.name}>
            {name}
          </Text>
          <span className={styles.when}>
            <When at={createdAt} size="xs" />
            {editedAt !== null && ' · edited'}
          </span>
          <span className={styles.space} />
          {(isOwn || isOwner) && !isEditing && (
            <Menu position="bottom-end" shadow="md">
              <Menu.Target>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={24}
                  aria-label={`Actions of the comment of ${name}`}
                >
                  <IconDots size={15} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {isOwn && <Menu.Item onClick={() => setIsEditing(true)}>Edit</Menu.Item>}
                <Menu.Item color="red" onClick={() => setIsDeleting(true)}>
                  Delete
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </div>
        {isEditing ? (
          <Composer
            draftKey={comment.id}
            initialText={decodeMentions(comment, people)}
            people={people}
            label="Edit the comment"
            action="Save"
            autoFocus
            cancel={() => setIsEditing(false)}
            send={async (text) => {
              await save(text)
              setIsEditing(false)
            }}
          />
        ) : (
          <CommentText comment={comment} meId={meId} />
        )}
      </div>
      <ConfirmDialog
        title="Delete the comment"
        text="It cannot be restored."
        action="Delete"
        isOpen={isDeleting}
        close={() => setIsDeleting(false)}
        run={remove}
      />
    </li>
  )
}

/** The text of a comment: plain, with links and mentions. */
function CommentText({ comment, meId }: { comment: Pick<Comment, 'text' | 'mentions'>; meId: string }) {
  return (
    <Text component="div" size="sm" className={styles.text} dir="auto">
      {splitText(comment).map((part, index) => {
        if (typeof part === 'string') return part
        if ('url' in part)
          return (
            <Anchor
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing else.
              key={index}
              href={part.url}
              target="_blank"
              rel="noopener noreferrer nofollow"
              inherit
              // Direction marks in the text before a link do not affect the link.
              dir="ltr"
            >
              {part.text}
            </Anchor>
          )
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: likewise.
          <bdi key={index} className={styles.mention} data-me={part.id === meId || undefined}>
            @{part.name}
          </bdi>
        )
      })}
    </Text>
  )
}
