import { findCode } from '../platform/system-errors.ts'
import { CommandFailure } from './failure.ts'

/** Where a server was to listen. */
interface ListenPlace {
  host: string
  port: number
}

/** What the operator can do about an address that cannot be listened on; any other failure as it is. */
export function explainListenFailure(error: unknown, { host, port }: ListenPlace): unknown {
  const code = findCode(error)
  const advice = code !== undefined && isOfAddress(error) ? ADVICE[code]?.({ host, port }) : undefined
  return advice === undefined ? error : new CommandFailure(advice, { cause: error })
}

const ADVICE: Record<string, (place: ListenPlace) => string> = {
  EADDRINUSE: ({ port }) =>
    `Port ${port} is in use. Set MEADOW_PORT to another one, or stop what listens there.`,
  EACCES: ({ port }) =>
    `This user may not listen on port ${port}: ports below 1024 are kept for the administrator. Set MEADOW_PORT to a ` +
    'higher one.',
  EADDRNOTAVAIL: ({ host }) =>
    `This machine does not have the address "${host}". Set MEADOW_HOST to one that it has, or to 0.0.0.0 for all.`,
  ENOTFOUND: ({ host }) => `There is no host "${host}". Set MEADOW_HOST to an address of this machine.`,
}

/** And not of a file, which may not be opened either. */
const isOfAddress = (error: unknown): boolean =>
  ['listen', 'bind', 'getaddrinfo'].includes(String((error as NodeJS.ErrnoException).syscall))
