/** Something in a page that a person can act on, at its middle. */
export interface Control {
  /** The kind of control on a kind of page, the same for each item of a list: what was tried is counted by it. */
  key: string
  role: string
  name: string
  x: number
  y: number
  /** Whether to act on it changes nothing by right: what is chosen already. */
  isChosen: boolean
}

/** Runs in the page: lists the controls that can be seen and are not covered. */
export function listControls(): Control[] {
  const WANTED =
    'button, a[href], input, textarea, select, summary, [role=tab], [role=menuitem], [role=option], [role=slider], [role=checkbox], [role=radio], [role=switch], .react-flow__node'
  const found: Control[] = []
  const place = location.pathname.replaceAll(/(doc|fld|team|usr|fil|ver)_\w+/g, '*')
  for (const element of document.querySelectorAll<HTMLElement>(WANTED)) {
    if (element.matches(':disabled, [aria-disabled=true]') || !element.checkVisibility()) continue
    const { left, top, width, height } = element.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    if (width === 0 || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue
    const hit = document.elementFromPoint(x, y)
    if (!hit || !(element.contains(hit) || hit.closest('label')?.contains(element))) continue
    const field = element as HTMLInputElement
    const role =
      element.getAttribute('role') ?? (element.tagName === 'INPUT' ? field.type : element.localName)
    const label = element.getAttribute('aria-label') ?? field.labels?.[0]?.textContent
    const name = (label || element.textContent || element.title || field.placeholder || '')
      .trim()
      .slice(0, 50)
    const isChosen =
      element.matches('[aria-selected=true], [aria-current], [aria-pressed=true], :checked') ||
      (element as HTMLAnchorElement).href === location.href
    const inDialog = element.closest('[role=dialog]') ? ' in a dialog' : ''
    const item = element.closest('[role=row], [role=option], .react-flow__node') ? 'an item' : name
    const key = `${place}${inDialog}: ${role} ${item.replaceAll(/\d+/g, '0')}`
    found.push({ key, role, name, x, y, isChosen })
  }
  return found
}

/** Runs in each page before its own code: counts what changes in it. */
export function watchChanges(): void {
  const counted = globalThis as unknown as { changes: number }
  counted.changes = 0
  const note = () => {
    counted.changes++
  }
  const options = { subtree: true, childList: true, attributes: true, characterData: true }
  new MutationObserver(note).observe(document, options)
  for (const event of ['scroll', 'invalid']) document.addEventListener(event, note, true)
}

/** Runs in the page: what has the focus, and whether a dialog or menu keeps it by right. */
export function readFocus(): { focused: string; isKept: boolean } {
  const element = document.activeElement
  const all = [...document.querySelectorAll('*')]
  const focused = element && element !== document.body ? String(all.indexOf(element)) : 'nothing'
  return { focused, isKept: document.querySelector('[role=dialog], [role=menu], [role=listbox]') !== null }
}
