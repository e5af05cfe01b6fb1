import { SaxesParser } from 'saxes'

/** An element of an answer: its text, and its children by name. */
export interface XmlElement {
  text: string
  children: Map<string, XmlElement[]>
}

/** Reads the root element of an XML document; undefined when the document is not well-formed. */
export function readXml(xml: string): { name: string; root: XmlElement } | undefined {
  const top: XmlElement = { text: '', children: new Map() }
  const open = [top]
  const parser = new SaxesParser()
  let isBroken = false
  parser.on('error', () => {
    isBroken = true
  })
  parser.on('opentag', ({ name }) => {
    const element: XmlElement = { text: '', children: new Map() }
    const { children } = open.at(-1)!
    const same = children.get(name)
    if (same) same.push(element)
    else children.set(name, [element])
    open.push(element)
  })
  parser.on('text', (text) => {
    open.at(-1)!.text += text
  })
  parser.on('closetag', () => {
    open.pop()
  })
  try {
    parser.write(xml).close()
  } catch {
    return undefined
  }
  const [first] = top.children
  return isBroken || !first ? undefined : { name: first[0], root: first[1][0]! }
}

/** Returns the text of a child element; empty when there is no such child. */
export const textOf = (element: XmlElement | undefined, name: string): string =>
  element?.children.get(name)?.[0]?.text ?? ''
