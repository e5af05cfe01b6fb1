/** Converts the line ends of any system to line feeds. */
export function unifyLineEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

/**
 * The values of a panel's text: the whole text, or a value for each line.
 * A line break at the end does not start another line; an empty text has no value.
 */
export function listPanelLines(text: string, isMultiline: boolean): string[] {
  const unified = unifyLineEnds(text)
  if (unified === '') return []
  return isMultiline ? [unified] : unified.replace(/\n$/, '').split('\n')
}
