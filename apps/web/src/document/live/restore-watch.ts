import type { LivePerson } from '@meadow/client/live'
import { formatExact } from '../../shell/format-time.ts'

/**
 * Returns what has to be called with the others who have the document open, after each change of their presence. It
 * returns a sentence when one of them has restored a version since the last call. What somebody had restored before they
 * were first seen is no news.
 */
export function createRestoreWatch() {
  const seen = new Map<number, string | undefined>()
  return (people: readonly LivePerson[]): string | undefined => {
    let news: string | undefined
    for (const { clientId, user, restored } of people) {
      if (restored && seen.has(clientId) && seen.get(clientId) !== restored.at)
        news = `${user?.name ?? 'Somebody'} restored the version of ${formatExact(restored.versionAt)}. What the document was before is in its history.`
      if (restored || !seen.has(clientId)) seen.set(clientId, restored?.at)
    }
    return news
  }
}
