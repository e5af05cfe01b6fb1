import { TEXT_KINDS } from '@meadow/contract/web/terms'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import type { SolvableDocument } from './solves.store.ts'

/** The class of Read File. The solver is not imported here, since it takes a tenth of a second to load. */
const READ_FILE = '6587fcbf-e3cf-480a-b2f5-641794474194'

/**
 * The documents of a team whose last solve began before a model changed that has an object they refer to, or a text in
 * their folder while they read files, in order of creation (rule REF-7). A file that was only moved, or put into the bin,
 * has not changed.
 */
export function listOutdated({ read }: Pick<Database, 'read'>, team: TeamKey): Promise<SolvableDocument[]> {
  return read
    .selectFrom('document')
    .innerJoin('solve', 'solve.document_id', 'document.id')
    .where('document.team_id', '=', team)
    .where('document.bin_id', 'is', null)
    .where('solve.state', '=', sql.lit('solved' as const))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('solve as newer')
            .whereRef('newer.document_id', '=', 'document.id')
            .whereRef('newer.id', '>', 'solve.id')
            .select('newer.id'),
        ),
      ),
    )
    .where(({ exists, selectFrom, or, and }) =>
      or([
        exists(
          selectFrom('document_reference')
            .innerJoin('model_object', 'model_object.object_id', 'document_reference.object_id')
            .innerJoin('team_file', 'team_file.id', 'model_object.file_id')
            .whereRef('document_reference.document_id', '=', 'document.id')
            .whereRef('team_file.team_id', '=', 'document.team_id')
            .where('team_file.bin_id', 'is', null)
            .whereRef('team_file.updated_at', '>', 'solve.started_at')
            .select('team_file.id'),
        ),
        and([
          exists(
            selectFrom('document_use')
              .innerJoin('used_thing', 'used_thing.id', 'document_use.thing_id')
              .whereRef('document_use.document_id', '=', 'document.id')
              .where('used_thing.kind', '=', 'component')
              .where('used_thing.key', '=', READ_FILE)
              .select('used_thing.id'),
          ),
          exists(
            selectFrom('team_file')
              .whereRef('team_file.folder_id', '=', 'document.folder_id')
              .where('team_file.kind', 'in', TEXT_KINDS)
              .where('team_file.bin_id', 'is', null)
              .whereRef('team_file.updated_at', '>', 'solve.started_at')
              .select('team_file.id'),
          ),
        ]),
      ]),
    )
    .orderBy('document.id')
    .select(['document.id as key', 'document.public_id as id', 'document.name', 'document.team_id as team'])
    .execute()
}
