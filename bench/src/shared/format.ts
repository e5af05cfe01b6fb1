export const count = (value: number) => Math.round(value).toLocaleString('en')
export const milliseconds = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0))
export const megabytes = (bytes: number | undefined) =>
  bytes === undefined ? '?' : (bytes / 2 ** 20).toFixed(0)
export const verdict = (ratio: number, aim: number | undefined) =>
  `${ratio.toFixed(2)}${aim === undefined ? '' : ratio >= aim ? ` ✓ ${aim}` : ` ✗ ${aim}`}`

/** A Markdown table with padded columns, numbers aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]!.length)),
  )
  const isNumber = head.map((_title, column) => rows.every((row) => /^[\d,.?]*( |$)/.test(row[column]!)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => pad(cell, widths[column]!, isNumber[column]!)).join(' | ')} |`
  const rule = widths.map((width, column) => `${'-'.repeat(width - 1)}${isNumber[column] ? ':' : '-'}`)
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

const pad = (text: string, width: number, isRight: boolean) =>
  isRight ? text.padStart(width) : text.padEnd(width)
