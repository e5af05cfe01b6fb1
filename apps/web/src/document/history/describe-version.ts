import type { DocumentVersion, VersionAuthor } from '@meadow/contract/web'

const KINDS: Record<DocumentVersion['kind'], string> = {
  created: 'Document created',
  pause: 'Saved automatically',
  import: 'Import of a file',
  solve: 'Solved',
  restore: 'Before a restore',
  manual: 'Kept by hand',
}

/** Why a version was kept. */
export const describeKind = ({ kind }: Pick<DocumentVersion, 'kind'>): string => KINDS[kind]

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

export const formatTime = (at: string): string => time.format(new Date(at))
const formatDay = (at: string): string => day.format(new Date(at))

/** Formats a time as "Sunday, 1 March 2026, 14:03". */
export const formatMoment = (at: string): string => `${formatDay(at)}, ${formatTime(at)}`

/** How a version is called: by its name, else by its time. */
export const labelOfVersion = ({ name, at }: Pick<DocumentVersion, 'name' | 'at'>): string =>
  name ?? formatMoment(at)

const WITHOUT_PERSON: Record<VersionAuthor['kind'], string> = {
  person: 'a deleted account',
  agent: 'an agent',
  import: 'an import',
  operator: 'the operator',
}

function nameAuthor({ kind, person }: VersionAuthor): string {
  if (!person) return WITHOUT_PERSON[kind]
  if (kind === 'agent') return `an agent of ${person.name}`
  return person.name
}

/** The number of authors that are named; more are only counted. */
const MAX_NAMED = 2

/** Says who made the changes, those with the most first; empty if it was not recorded. */
export function describeAuthors(authors: readonly VersionAuthor[]): string {
  const names = [...new Set(authors.map(nameAuthor))]
  const shown = names.slice(0, MAX_NAMED)
  const others = names.length - shown.length
  return [...shown, ...(others > 0 ? [others === 1 ? 'one other' : `${others} others`] : [])].join(', ')
}

export const countChanges = (authors: readonly VersionAuthor[]): number =>
  authors.reduce((sum, { changes }) => sum + changes, 0)

/** Versions by the day of the reader's time zone, in the order of the list. */
export function groupByDay(
  versions: readonly DocumentVersion[],
): { day: string; versions: DocumentVersion[] }[] {
  const byDay = Map.groupBy(versions, ({ at }) => formatDay(at))
  return [...byDay].map(([day, versions]) => ({ day, versions }))
}
