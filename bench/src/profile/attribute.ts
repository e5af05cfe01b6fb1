/** The part of a V8 profile that is read here. Times are in microseconds. */
export interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
  startTime: number
}

/** A part of the program and the samples' time in its own code, in microseconds. */
export interface PartTime {
  part: string
  microseconds: number
}

/**
 * Returns the time in each part between two moments of the monotonic clock, the largest first. Waiting is left out.
 * Code that is not JavaScript has no address, so it is counted under V8's name for it, such as `(garbage collector)`.
 */
export function attributeTime(profile: Profile, from: number, until: number): PartTime[] {
  const partOf = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const times = new Map<string, number>()
  let at = profile.startTime
  for (const [index, sample] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index]!
    at += delta
    const part = partOf.get(sample)!
    if (at < from || at > until || part === '(idle)') continue
    times.set(part, (times.get(part) ?? 0) + delta)
  }
  return [...times]
    .map(([part, microseconds]) => ({ part, microseconds }))
    .sort((a, b) => b.microseconds - a.microseconds)
}

function nameOf({ functionName, url }: Profile['nodes'][number]['callFrame']): string {
  if (url === '') return functionName.startsWith('(') ? functionName : `native ${functionName}`
  if (url.startsWith('node:')) return url
  const library = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  return library ?? /\/(?:apps\/server\/src|packages)\/(.+)$/.exec(url)?.[1] ?? url
}
