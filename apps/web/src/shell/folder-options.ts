import type { TreeFolder } from '@meadow/contract/web'

/** Returns options for folders, labelled with their full paths: names may repeat. */
export function folderOptions(folders: readonly TreeFolder[]): { value: string; label: string }[] {
  const labels = new Map<string, string>()
  return folders.map(({ id, name, parentId }) => {
    const parent = parentId === null ? undefined : labels.get(parentId)
    const label = parent ? `${parent} / ${name}` : name
    labels.set(id, label)
    return { value: id, label }
  })
}
