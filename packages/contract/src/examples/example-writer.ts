/** What an example does: the names of the endpoints. */
export type ExampleCall =
  | 'readTeam'
  | 'readFolder'
  | 'searchDocuments'
  | 'readDocument'
  | 'readSolution'
  | 'requestExport'
  | 'readChanges'

/** How a language writes examples. `api` is the base address of the API, such as `https://meadow.example.org/api/v1`. */
export interface ExampleWriter {
  /** What comes first in every script. */
  prepare(api: string): string
  /** Finds a document: the one with this id, or the one that was changed last. */
  findDocument(api: string, id: string | undefined): string
  calls: Record<ExampleCall, (api: string) => string>
}
