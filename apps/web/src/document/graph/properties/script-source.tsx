import { ActionIcon, Badge, Text, Tooltip } from '@mantine/core'
import type { ScriptLanguage, ScriptState } from '@meadow/document'
import { useEffect, useState } from 'react'
import { CopyButton } from '../../../shell/copy-button.tsx'
import { count } from '../../../shell/count.ts'
import { IconCheck, IconCopy } from '../../../shell/icons.ts'
import { LANGUAGE_NAMES } from './describe-node.ts'
import type { Token } from './highlight.ts'
import styles from './properties.module.css'

/** The source of a script. A C# or VB script from before Rhino 8 has several parts. */
export function ScriptSource({ script }: { script: ScriptState }) {
  const { language, languageSpec, imports, source, members } = script
  const parts = [
    { title: 'Before the class', text: imports },
    { title: 'The method that runs', text: source },
    { title: 'Members of the class', text: members },
  ].filter((part): part is { title: string; text: string } => Boolean(part.text?.trim()))
  const whole = parts.map(({ text }) => text).join('\n')
  return (
    <section aria-label="Script" className={styles.script}>
      <div className={styles.scriptHead}>
        <Badge variant="light" tt="none">
          {language === 'unknown' ? (languageSpec ?? LANGUAGE_NAMES.unknown) : LANGUAGE_NAMES[language]}
        </Badge>
        <Text size="xs" c="dimmed" flex={1}>
          {parts.length === 0 ? '' : count(whole.trimEnd().split('\n').length, 'line')}
        </Text>
        {parts.length > 0 && <CopyIcon text={whole} label="Copy the script" />}
      </div>
      {parts.length === 0 && (
        <Text size="sm" c="dimmed" p="sm">
          The file has no source of this script. It may come through a wire, or be the default one.
        </Text>
      )}
      {parts.map(({ title, text }) => (
        <div key={title}>
          {parts.length > 1 && <div className={styles.partTitle}>{title}</div>}
          <Source language={language} text={text} label={parts.length > 1 ? title : 'Source'} />
        </div>
      ))}
    </section>
  )
}

/** A source that is plain at first, and in colours as soon as the highlighter is loaded. */
function Source({ language, text, label }: { language: ScriptLanguage; text: string; label: string }) {
  const [tokens, setTokens] = useState<Token[]>()
  useEffect(() => {
    let isCurrent = true
    // Without the highlighter, the source stays plain.
    import('./highlight.ts').then(
      ({ highlight }) => isCurrent && setTokens(highlight(language, text)),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [language, text])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to by keys too.
    <section className={styles.source} tabIndex={0} aria-label={label} data-highlighted={tokens && ''}>
      <pre>
        {tokens?.map(({ text, scope }, index) =>
          scope === undefined ? (
            text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a text never change their order.
            <span key={index} data-scope={scope}>
              {text}
            </span>
          ),
        ) ?? text}
      </pre>
    </section>
  )
}

/** A small button that copies a text. */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={copied ? 'Copied' : label}
            onClick={copy}
            className={styles.copy}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
