import type { Port } from '@meadow/contract'
import type { LibraryPort } from '@meadow/document'
import type { Feed } from './feed.ts'

/** A port as the catalogue declares it, with what the feed switches on. */
export function createPort(
  { name, nickName, typeName, access, isOptional }: Omit<LibraryPort, 'defaults'>,
  feed?: Feed,
): Port {
  const options = [...(isOptional ? (['optional'] as const) : []), ...(feed?.options ?? [])]
  return {
    name,
    nickName,
    typeName,
    access,
    flags: [...(feed?.flags ?? [])],
    ...(feed?.expression === undefined ? {} : { expression: feed.expression }),
    ...(options.length === 0 ? {} : { options }),
  }
}
