/** After nothing: the first page of a list that starts with the newest. */
const NEWEST = 2 ** 31 - 1

/** The key behind which a page starts, from what a caller sent. What was made up gives the first page. */
export function readAfter(after: string | undefined): number {
  return after !== undefined && /^\d{1,9}$/.test(after) ? Number(after) : NEWEST
}

export const writeAfter = (key: number): string => String(key)
