/** A Markdown table with columns as wide as they need to be, numbers to the right. */
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

const pad = (text: string, width: number, toTheRight: boolean) =>
  toTheRight ? text.padStart(width) : text.padEnd(width)
