import { toCredits } from '@meadow/contract/web/terms'

/** Tenths of a credit as credits with one decimal, such as `1,234.5`. */
export const formatCredits = (tenths: number): string =>
  toCredits(tenths).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
