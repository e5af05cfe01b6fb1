/** Why one file or folder cannot be imported, where the operating system has no word for it. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/** Meadow's own files cannot be written: the import cannot go on. The message completes "…: the disk is full". */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}
