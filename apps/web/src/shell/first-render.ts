import { useLocalStorage, useMediaQuery } from '@mantine/hooks'

/** What is read from the browser is read during the first render, since the page would jump otherwise. */
const IN_FIRST_RENDER = { getInitialValueInEffect: false }

/** The media query for phones, which show one pane at a time at first. */
export const NARROW = '(max-width: 47.99em)'

/** Returns whether the window matches a media query. */
export const useMedia = (query: string): boolean => useMediaQuery(query, false, IN_FIRST_RENDER)

/** Returns a value that this browser remembers under a key, and what changes it. */
export const useRemembered = <Value>(key: string, defaultValue: Value) =>
  useLocalStorage<Value>({ key, defaultValue, ...IN_FIRST_RENDER })
