import type { ListItem } from '@meadow/document'

/** The items of a value list as text, a line each: `name = expression`. As Grasshopper shows them. */
export const formatItems = (items: readonly ListItem[]): string =>
  items.map(({ name, expression }) => `${name} = ${expression}`).join('\n')

/** Reads such text; a line without `=` is both name and expression. What was chosen stays chosen, by its name. */
export function readItems(text: string, before: readonly ListItem[]): ListItem[] {
  const chosen = new Set(before.filter(({ isSelected }) => isSelected).map(({ name }) => name))
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.indexOf('=')
      const name = (at < 0 ? line : line.slice(0, at)).trim()
      const expression = (at < 0 ? line : line.slice(at + 1)).trim()
      return { name: name || expression, expression, isSelected: chosen.has(name) }
    })
}
