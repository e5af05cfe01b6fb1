import type { Migration } from '../migration.ts'
import { teamsAndDocuments } from './0001-teams-and-documents.ts'
import { solves } from './0002-solves.ts'
import { exports } from './0003-exports.ts'
import { usersAndLiveDocuments } from './0004-users-and-live-documents.ts'
import { webApp } from './0005-web-app.ts'
import { valuesOfLiveDocuments } from './0006-values-of-live-documents.ts'
import { failedAttempts } from './0007-failed-attempts.ts'
import { tokensOfMembers } from './0008-tokens-of-members.ts'
import { teamQuotas } from './0009-team-quotas.ts'
import { completenessOfSolutions } from './0010-completeness-of-solutions.ts'
import { solversOfTeams } from './0011-solvers-of-teams.ts'
import { viewsOfFiles } from './0012-views-of-files.ts'
import { teamFiles } from './0013-team-files.ts'
import { mirrors } from './0014-mirrors.ts'
import { factsOfFiles } from './0015-facts-of-files.ts'
import { usesOfDocuments } from './0016-uses-of-documents.ts'
import { unitsOfTeams } from './0017-units-of-teams.ts'
import { keysOfDocuments } from './0018-keys-of-documents.ts'
import { processes } from './0019-processes.ts'
import { blobStores } from './0020-blob-stores.ts'
import { stateOfProcesses } from './0021-state-of-processes.ts'
import { backupRuns } from './0022-backup-runs.ts'
import { listingsOfFolders } from './0023-listings-of-folders.ts'
import { slotsOfTheSearchIndex } from './0025-slots-of-the-search-index.ts'
import { newestDocuments } from './0027-newest-documents.ts'
import { auditLog } from './0030-audit-log.ts'
import { foldersOfTokens } from './0032-folders-of-tokens.ts'
import { livesOfTokens } from './0034-lives-of-tokens.ts'
import { mail } from './0036-mail.ts'
import { secondFactors } from './0038-second-factors.ts'
import { deletion } from './0042-deletion.ts'
import { endsOfTokens } from './0044-ends-of-tokens.ts'
import { rolesOfProviders } from './0046-roles-of-providers.ts'
import { versionsOfDocuments } from './0048-versions-of-documents.ts'
import { webhooks } from './0050-webhooks.ts'
import { authorsOfChanges } from './0052-authors-of-changes.ts'
import { comments } from './0054-comments.ts'
import { listsOfPeople } from './0056-lists-of-people.ts'
import { thumbnails } from './0058-thumbnails.ts'
import { foldersOfWebhooks } from './0060-folders-of-webhooks.ts'
import { useOfCredits } from './0064-use-of-credits.ts'
import { namedViews } from './0070-named-views.ts'
import { creatorsOfDocuments } from './0072-creators-of-documents.ts'
import { theClock } from './0098-the-clock.ts'
import { creditsInTenths } from './0100-credits-in-tenths.ts'

/** In the order in which they run; a new one goes to the end. */
export const MIGRATIONS: readonly Migration[] = [
  teamsAndDocuments,
  solves,
  exports,
  usersAndLiveDocuments,
  webApp,
  valuesOfLiveDocuments,
  failedAttempts,
  tokensOfMembers,
  teamQuotas,
  completenessOfSolutions,
  solversOfTeams,
  viewsOfFiles,
  teamFiles,
  mirrors,
  factsOfFiles,
  usesOfDocuments,
  unitsOfTeams,
  keysOfDocuments,
  processes,
  blobStores,
  stateOfProcesses,
  backupRuns,
  listingsOfFolders,
  slotsOfTheSearchIndex,
  newestDocuments,
  auditLog,
  foldersOfTokens,
  mail,
  livesOfTokens,
  secondFactors,
  deletion,
  endsOfTokens,
  rolesOfProviders,
  authorsOfChanges,
  webhooks,
  versionsOfDocuments,
  useOfCredits,
  foldersOfWebhooks,
  comments,
  thumbnails,
  listsOfPeople,
  namedViews,
  creatorsOfDocuments,
  theClock,
  creditsInTenths,
]
