const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** Formats a size, such as `1.5 GB`, in the same way as the server's messages. A KB has 1024 bytes. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toLocaleString('en', { maximumFractionDigits: 1 })} ${UNITS[power]}`
}
