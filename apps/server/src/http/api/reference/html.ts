import { escapeHtml } from '../../../platform/escape-html.ts'

/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | undefined | false | readonly Part[]

/** Makes HTML of a template: its values are escaped, unless they are HTML themselves; lists are joined. */
export const html = (strings: TemplateStringsArray, ...values: Part[]): Html =>
  new Html(strings.map((text, index) => text + (index < values.length ? toText(values[index]) : '')).join(''))

function toText(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(toText).join('')
  return escapeHtml(String(part))
}

/** Formats the text of a description: names in backquotes are code, an empty line begins a paragraph. */
export const paragraphs = (text: string): Html =>
  html`${text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`

/** Formats text like `paragraphs`, but without dividing it into paragraphs. */
export const inline = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
