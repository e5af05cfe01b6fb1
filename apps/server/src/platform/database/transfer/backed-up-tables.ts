/**
 * The tables that a backup contains, in the order in which they are read. A test holds that every table is here or in
 * {@link LEFT_OUT}.
 */
export const BACKED_UP = [
  'user',
  'account',
  'session',
  'team',
  'membership',
  'token',
  'invitation',
  'credit_entry',
  'bin_item',
  'folder',
  'document',
  'document_reference',
  'document_snapshot',
  'document_facts',
  'document_change',
  'document_client',
  'document_value',
  'team_file',
  'model_object',
  'solve',
  'link_key',
  'export_file',
  'mirror',
  'mirror_run',
  'discarded_blob',
  'used_thing',
  'document_use',
  'document_graph',
  'uses_reader',
] as const

/** The tables that a backup does not contain, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  schema_version: 'the migrations make it',
  schema_version_lock: 'the migrations make it',
  document_search: 'made from the documents',
  search_slot: 'made from the documents',
  search_displacement: 'made from the documents',
  deleted_document_key: 'written from the highest key that was given to a document',
  verification: 'sign-ins through an OpenID provider that have begun: they last ten minutes',
  failed_attempt: 'counted for a quarter of an hour',
  process: 'those that run now',
  probe: 'asked by a command that runs now',
  probe_answer: 'asked by a command that runs now',
  blob_store: 'the service that is restored has its own',
  exclusive_task: 'what the processes that run now do',
  rate_window: 'counted for a minute',
  backup_run: 'about the backups of this database',
}
