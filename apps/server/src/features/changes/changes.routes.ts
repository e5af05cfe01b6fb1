import { readChanges } from '@meadow/contract'
import { keyOfScope } from '../../access/resource-scope.ts'
import { serve } from '../../http/api/route.ts'
import { entityTag, JsonBody, TaggedJson } from '../../http/responses/response-body.ts'
import type { ChangesStore } from './changes.store.ts'

export const changesRoutes = (changes: ChangesStore) => [
  serve(
    readChanges,
    ({ query, principal, quota }) => {
      const since = query.get('since') ?? ''
      const { teamId, teamVersion, resourceScope, scopes } = principal
      const facts = [teamId, teamVersion, keyOfScope(resourceScope), scopes.has('solutions:read'), since]
      const tag = entityTag(JSON.stringify(facts))
      return new TaggedJson(tag, async () => {
        await quota.reserve(PAGE_BYTES)
        return new JsonBody({ changes: await changes.read(principal, since) }, tag)
      })
    },
    // Its answers depend on the token's scopes too, and each is asked for about once.
    { isCached: false },
  ),
]

/** What the rows and the JSON of a page take in memory, in bytes. */
const PAGE_BYTES = 2 ** 20
