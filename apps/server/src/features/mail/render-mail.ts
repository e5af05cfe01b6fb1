import { escapeHtml } from '../../platform/escape-html.ts'
import { toOneLine } from '../../platform/mail/outbox.ts'

/** A mail with its whole link. */
export interface WrittenMail {
  subject: string
  paragraphs: readonly string[]
  link?: { label: string; url: string } | undefined
}

const MAX_SUBJECT_LENGTH = 150

/** A mail as plain text and as simple HTML that says the same: no pictures, nothing that tells when it was read. */
export function renderMail({ subject, paragraphs, link }: WrittenMail, baseUrl: string) {
  const lines = [...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), `Meadow, ${baseUrl}`]
  const body = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`)
  if (link)
    body.push(
      `<p><a href="${escapeHtml(link.url)}"><strong>${escapeHtml(link.label)}</strong></a></p>`,
      `<p>${escapeHtml(link.url)}</p>`,
    )
  body.push(`<p style="color:#666">Meadow, ${escapeHtml(baseUrl)}</p>`)
  return {
    subject: [...toOneLine(subject)].slice(0, MAX_SUBJECT_LENGTH).join(''),
    text: `${lines.join('\n\n')}\n`,
    html:
      '<!doctype html><html lang="en"><head><meta charset="utf-8"></head>' +
      `<body style="font:16px/1.5 sans-serif;max-width:36em">${body.join('')}</body></html>`,
  }
}
