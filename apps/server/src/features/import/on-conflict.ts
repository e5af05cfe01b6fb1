/**
 * What to do with a changed file whose document people have edited since it was imported: leave the document alone,
 * replace what they made, or make a document of its own of the file.
 */
export const ON_CONFLICT = ['keep', 'replace', 'copy'] as const
export type OnConflict = (typeof ON_CONFLICT)[number]
