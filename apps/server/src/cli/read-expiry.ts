import { InvalidArgumentError } from 'commander'

/** A calendar day, or a moment with an offset or in UTC. */
const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?)?$/

/** When a token expires, in milliseconds since 1970. A day alone means its first moment in UTC, no offset means UTC. */
export function readExpiry(text: string, now = Date.now()): number {
  const parts = MOMENT.exec(text)
  if (!parts || Number(parts[3]) < 1 || Number(parts[3]) > daysInMonth(Number(parts[1]), Number(parts[2]))) {
    throw new InvalidArgumentError('It must be a date such as 2030-01-31 or 2030-01-31T18:00Z.')
  }
  const time = Date.parse(parts[4] && !parts[8] ? `${text}Z` : text)
  if (time <= now) throw new InvalidArgumentError('It must be in the future.')
  return time
}

/** 0 when there is no such month. */
const daysInMonth = (year: number, month: number): number =>
  month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0
