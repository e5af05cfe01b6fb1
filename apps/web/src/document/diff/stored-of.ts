import type { DocumentContent } from '@meadow/diff'

/** What a file stores, in the form that is compared; nothing for a document without a file. */
export const storedOf = ({
  stored,
}: {
  stored: NonNullable<DocumentContent['stored']> | null | undefined
}): Pick<DocumentContent, 'stored'> => (stored ? { stored } : {})
