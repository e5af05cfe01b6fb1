import { findCode } from '../../platform/system-errors.ts'

/** The address that a server should listen on, and the variables that it comes from. */
export interface ListenAddress {
  host: string
  port: number
  variables: { host: string; port: string }
}

/** Says why the server cannot listen on an address, and what to set; undefined for other errors. */
export function describeListenFailure(error: unknown, address: ListenAddress): string | undefined {
  const code = findCode(error)
  return code !== undefined && isOfAddress(error) ? ADVICE[code]?.(address) : undefined
}

const ADVICE: Record<string, (address: ListenAddress) => string> = {
  EADDRINUSE: ({ port, variables }) =>
    `Port ${port} is in use. Set ${variables.port} to another one, or stop what listens there.`,
  EACCES: ({ port, variables }) =>
    `This user may not listen on port ${port}: ports below 1024 are kept for the administrator. Set ${variables.port} ` +
    'to a higher one.',
  EADDRNOTAVAIL: ({ host, variables }) =>
    `This machine does not have the address "${host}". Set ${variables.host} to one that it has, or to 0.0.0.0 for all.`,
  ENOTFOUND: ({ host, variables }) =>
    `There is no host "${host}". Set ${variables.host} to an address of this machine.`,
}

/** Whether an error is about an address: errors about files have the same codes. */
const isOfAddress = (error: unknown): boolean =>
  ['listen', 'bind', 'getaddrinfo'].includes(String((error as NodeJS.ErrnoException).syscall))
