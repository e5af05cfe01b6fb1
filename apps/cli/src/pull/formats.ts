/** The files that a mirror can have of a document. `of` is what a file is made from. */
export const FORMATS = {
  json: { ending: '.json', of: 'document', says: 'the document' },
  csv: { ending: '.csv', of: 'solution', says: 'the values of its solution' },
  solution: { ending: '.solution.json', of: 'solution', says: 'its whole solution, without geometry' },
  parquet: { ending: '.parquet', of: 'solution', says: 'the values as Parquet' },
  gh: { ending: '.gh', of: 'document', says: 'the document for Grasshopper' },
  '3dm': { ending: '.3dm', of: 'solution', says: 'its solution for Rhino' },
} as const

export type Format = keyof typeof FORMATS

export const FORMAT_NAMES = Object.keys(FORMATS) as Format[]

/** The endings of all files, including unwanted ones: the places of documents do not depend on the wanted formats. */
export const ENDINGS: readonly string[] = Object.values(FORMATS).map(({ ending }) => ending)

/** The formats that need the body of the solution. */
export const NEEDS_VALUES: readonly Format[] = ['csv', 'solution', 'parquet']
