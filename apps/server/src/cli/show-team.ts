import type { TeamRecord } from '../catalogue/catalogue.ts'

/** A team as `--json` shows it. */
export const showTeam = ({ id, name, host, credits, createdAt }: TeamRecord) => ({
  id,
  name,
  host,
  credits,
  createdAt: new Date(createdAt).toISOString(),
})
