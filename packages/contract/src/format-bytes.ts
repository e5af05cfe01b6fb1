const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** `1.5 GB`; a KB has 1024 bytes. The same format as in the server's messages. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toLocaleString('en', { maximumFractionDigits: 1 })} ${UNITS[power]}`
}
