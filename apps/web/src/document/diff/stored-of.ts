import type { DocumentContent } from '@meadow/diff'

/** Returns what a file stores, in the form that is compared; empty for a document without a file. */
export const storedOf = ({
  stored,
}: {
  stored: NonNullable<DocumentContent['stored']> | null | undefined
}): Pick<DocumentContent, 'stored'> => (stored ? { stored } : {})
