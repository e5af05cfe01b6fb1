import { deleteEndedInvitations } from './access/members.ts'
import { deleteEndedSessions } from './access/sessions.store.ts'
import type { DeviceAuthorizations } from './features/api-tokens/device-authorization.store.ts'
import { announceEnds } from './features/api-tokens/token-ends.ts'
import { pruneDepartures } from './features/changes/changes.store.ts'
import { purgeDue } from './features/deletion/purge-team.ts'
import type { ExportStore } from './features/exports/exports.store.ts'
import { deleteObsoleteExports } from './features/exports/open-exports.ts'
import { pruneVersions } from './features/history/prune-versions.ts'
import { collectGarbage, discardUnnamedBlobs } from './features/housekeeping/garbage-collection.ts'
import type { Chore } from './features/housekeeping/housekeeping.ts'
import { createOutboxStore, MAIL_KEPT_MS } from './features/mail/outbox.store.ts'
import type { AttemptRateLimit } from './features/sign-in/attempt-rate-limit.ts'
import { createDeliveryStore, DELIVERY_KEPT_MS } from './features/webhooks/deliveries.store.ts'
import { endPublicDocuments } from './library/documents.ts'
import type { BlobStore } from './platform/blobs/blobs.ts'
import type { SingletonJobs } from './platform/cluster/singleton-jobs.ts'
import type { Database } from './platform/database/database.ts'
import type { Log } from './platform/log.ts'

export interface HousekeepingParts {
  database: Database
  blobs: BlobStore
  singletonJobs: SingletonJobs
  attempts: Pick<AttemptRateLimit, 'deleteExpired'>
  devices: Pick<DeviceAuthorizations, 'deleteExpired'>
  exports: { store: ExportStore }
  sendsMail: boolean
  log: Log
}

const MINUTE_MS = 60_000

/** Lists what a server does in the background beside solving and sending, which clean up after themselves. Wiring only. */
export function listChores(parts: HousekeepingParts): Chore[] {
  const { database, blobs, singletonJobs, sendsMail, log } = parts
  return [
    ...(sendsMail
      ? [
          {
            isAssigned: singletonJobs('ends of tokens'),
            work: (now: number) => announceEnds(database, now),
            failed: 'the ends of API tokens could not be announced',
          },
        ]
      : []),
    {
      isAssigned: singletonJobs('failed attempts'),
      work: parts.attempts.deleteExpired,
      failed: 'failures to sign in could not be forgotten',
    },
    {
      isAssigned: singletonJobs('device authorizations'),
      work: parts.devices.deleteExpired,
      failed: 'programs that asked for a token could not be forgotten',
    },
    {
      isAssigned: singletonJobs('sessions and invitations'),
      async work(now) {
        await deleteEndedSessions(database, now)
        await deleteEndedInvitations(database, now)
      },
      failed: 'sessions and invitations that have ended could not be deleted',
    },
    {
      isAssigned: singletonJobs('unreferenced blobs'),
      work: (now) => collectGarbage(database, blobs, now),
      done: 'removed blobs of what was deleted',
      failed: 'blobs of what was deleted could not be removed',
    },
    {
      isAssigned: singletonJobs('unreferenced blobs'),
      work: (now) => discardUnnamedBlobs(database, blobs, now),
      done: 'found blobs that nothing refers to, which are removed a day later',
      failed: 'the blob store could not be searched for blobs that nothing refers to',
    },
    {
      isAssigned: singletonJobs('public documents'),
      // Lists may show for this long that a document is not public any more; nobody can open it by then.
      everyMs: MINUTE_MS,
      work: (now) => endPublicDocuments(database, now),
      failed: 'documents could not be made private again',
    },
    {
      isAssigned: singletonJobs('deleted teams'),
      // A server that was killed counts as alive for a while: soon after, another one goes on with its purge.
      everyMs: MINUTE_MS,
      async work(_, signal) {
        for (const id of await purgeDue(database, signal)) log.info({ team: id }, 'a deleted team was purged')
      },
      failed: 'a deleted team could not be purged',
    },
    {
      isAssigned: singletonJobs('old versions'),
      work: (now, signal) => pruneVersions(database, now, signal),
      done: 'versions were removed that no policy keeps',
      failed: 'versions could not be removed',
    },
    {
      isAssigned: singletonJobs('old departures'),
      work: () => pruneDepartures(database),
      failed: 'old departures could not be deleted from the change feed',
    },
    {
      isAssigned: singletonJobs('obsolete exports'),
      work: (now) => deleteObsoleteExports(parts.exports.store, now),
      done: 'obsolete exports were deleted',
      failed: 'obsolete exports could not be deleted',
    },
    {
      // A process that cannot send must not keep the job from one that can.
      isAssigned: sendsMail ? singletonJobs('mail') : async () => true,
      work: (now) => createOutboxStore(database).deleteOlder(now - MAIL_KEPT_MS),
      failed: 'old mails could not be deleted',
    },
    {
      isAssigned: singletonJobs('webhooks'),
      work: (now) => createDeliveryStore(database).deleteOlder(now - DELIVERY_KEPT_MS),
      failed: 'old deliveries of webhooks could not be deleted',
    },
  ]
}
