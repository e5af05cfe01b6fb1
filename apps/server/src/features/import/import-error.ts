/** Why one file or folder cannot be imported, where the operating system has no word for it. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/** Meadow's own storage fails, and not a file: the import cannot go on. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}
