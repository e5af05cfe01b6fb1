import { useState } from 'react'
import { type ColourChoice, DEFAULT_CHOICE, recallChoice, storeChoice } from './colour-choice.ts'

/** What the objects of a document are coloured by; undefined for their own colours. Kept in this browser. */
export function useColouring(documentId: string) {
  const [choice, setChoice] = useState(() => recallChoice(documentId))
  /** The choice before colouring was switched off. */
  const [last, setLast] = useState<ColourChoice>(choice ?? DEFAULT_CHOICE)
  const change = (next: ColourChoice | undefined) => {
    setChoice(next)
    if (next) setLast(next)
    storeChoice(documentId, next)
  }
  return { choice, setChoice: change, toggle: () => change(choice ? undefined : last) }
}
