import { type ReactNode, useEffect, useState } from 'react'
import { notifyText } from './notices.tsx'

/** How long a button says that it has copied. */
const SAID_MS = 1500

interface CopyButtonProps {
  value: string
  /** Shows the button; `copied` is true for a moment after it has copied. */
  children: (state: { copied: boolean; copy: () => void }) => ReactNode
}

/** Copies a text into the clipboard, and says so, or that the browser does not allow it. */
export function CopyButton({ value, children }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => void copyText(value).then(setCopied)
  return children({ copied, copy })
}

/**
 * Copies a text into the clipboard; resolves to false when the browser does not allow it, which a notice says. Pages
 * without TLS and windows without permission have no clipboard: they copy what is selected.
 */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = await writeClipboard(text).catch(() => copySelected(text))
  if (!isCopied)
    notifyText(
      'The browser does not allow this page to copy: select the text, and copy it with the keyboard.',
    )
  return isCopied
}

async function writeClipboard(text: string): Promise<boolean> {
  await navigator.clipboard.writeText(text)
  return true
}

function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // Inside of a dialog, which keeps the focus.
  const place = focused?.closest('[role=dialog]') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
