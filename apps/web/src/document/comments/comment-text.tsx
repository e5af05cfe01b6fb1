import { Anchor, Text } from '@mantine/core'
import type { Comment } from '@meadow/contract/web'
import styles from './comments.module.css'
import { splitText } from './mentions.ts'

/** The text of a comment: plain, with links and mentions. */
export function CommentText({
  comment,
  meId,
}: {
  comment: Pick<Comment, 'text' | 'mentions'>
  meId: string
}) {
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
