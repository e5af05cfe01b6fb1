import { Button, Group, Textarea } from '@mantine/core'
import { type AppDocument, listMembers } from '@meadow/contract/web'
import { MAX_COMMENT_LENGTH } from '@meadow/contract/web/terms'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import styles from './comments.module.css'
import { encodeMentions, listMentionable, type Mentionable } from './mentions.ts'

/**
 * The prefix of the keys under which this window keeps texts that were typed and not sent, even when it is reloaded.
 */
const DRAFT = 'meadow.comment.'

function readDraft(key: string): string {
  try {
    return sessionStorage.getItem(DRAFT + key) ?? ''
  } catch {
    return ''
  }
}

function storeDraft(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(DRAFT + key)
    else sessionStorage.setItem(DRAFT + key, text)
  } catch {
    // Storage may be full or forbidden: the text is kept until the panel is closed.
  }
}

/** The members of the document's team, as comments mention them. */
export function useMentionable(document: AppDocument): readonly Mentionable[] {
  const teamId = document.team?.id ?? ''
  const { data } = useQuery({ ...queryOf(listMembers, { params: [teamId] }), staleTime: 60_000 })
  return useMemo(() => listMentionable(data?.members ?? []), [data])
}

interface ComposerProps {
  /** The key under which the draft is kept. */
  draftKey: string
  initialText?: string
  people: readonly Mentionable[]
  label: string
  action: string
  /** Sends the text. Rejects with an error, which is shown. */
  send: (text: string) => Promise<unknown>
  cancel?: () => void
  autoFocus?: boolean
}

const MAX_SUGGESTIONS = 6

/** A field for a comment, with a list of members after an at sign. */
export function Composer(props: ComposerProps) {
  const { draftKey, initialText = '', people, label, action, send, cancel, autoFocus } = props
  const listId = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => readDraft(draftKey) || initialText)
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  /** The position of the at sign after which a name is typed. */
  const [mention, setMention] = useState<{ at: number; typed: string }>()
  const [active, setActive] = useState(0)
  const found = mention
    ? people
        .filter(({ label }) => label.toLowerCase().includes(mention.typed.toLowerCase()))
        .slice(0, MAX_SUGGESTIONS)
    : []
  const isListed = found.length > 0
  useEffect(() => {
    if (autoFocus) field.current?.focus()
  }, [autoFocus])

  const change = (next: string, caret: number) => {
    setText(next)
    storeDraft(draftKey, next)
    const before = /(?:^|[^\p{L}\p{N}])@([^@\n]{0,40})$/u.exec(next.slice(0, caret))
    setMention(before ? { at: caret - before[1]!.length - 1, typed: before[1]! } : undefined)
    setActive(0)
  }
  const choose = ({ label }: Mentionable) => {
    if (!mention) return
    const start = `${text.slice(0, mention.at)}@${label} `
    const rest = text.slice(mention.at + 1 + mention.typed.length)
    setMention(undefined)
    setText(start + rest)
    storeDraft(draftKey, start + rest)
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(start.length, start.length)
    })
  }
  const submit = async () => {
    if (text.trim() === '' || isSending) return
    setIsSending(true)
    setProblem(undefined)
    try {
      await send(encodeMentions(text, people))
      storeDraft(draftKey, '')
      setText('')
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      setIsSending(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    // While an input method composes characters, it takes the keys itself.
    if (event.nativeEvent.isComposing) return
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (isListed && step !== 0) setActive((active + step + found.length) % found.length)
    else if (isListed && (key === 'Enter' || key === 'Tab') && !event.ctrlKey && !event.metaKey)
      choose(found[active]!)
    else if (isListed && key === 'Escape') setMention(undefined)
    else if (key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
    else if (key === 'Escape' && cancel) cancel()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={styles.composer}>
      <Textarea
        ref={field}
        aria-label={label}
        placeholder={label}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={MAX_COMMENT_LENGTH}
        value={text}
        error={problem}
        dir="auto"
        aria-controls={isListed ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isListed ? `${listId}-${active}` : undefined}
        onChange={({ currentTarget: { value, selectionStart } }) => change(value, selectionStart)}
        onKeyDown={onKeyDown}
        onBlur={() => setMention(undefined)}
      />
      <div className={styles.people} id={listId} role="listbox" aria-label="Members" hidden={!isListed}>
        {found.map((person, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys choose.
          <div
            key={person.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={styles.person}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(person)}
          >
            {person.label}
          </div>
        ))}
      </div>
      <Group gap={6} mt={6} justify="flex-end">
        {cancel && (
          <Button size="compact-sm" variant="default" onClick={cancel}>
            Cancel
          </Button>
        )}
        <Button
          size="compact-sm"
          disabled={text.trim() === ''}
          loading={isSending}
          onClick={() => void submit()}
          title="Ctrl Enter"
        >
          {action}
        </Button>
      </Group>
    </div>
  )
}
