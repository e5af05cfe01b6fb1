import type { MemberRole } from '@meadow/contract'

/** The options of a role select. */
export const ROLES: { value: MemberRole; label: string }[] = [
  { value: 'owner', label: 'Owner' },
  { value: 'member', label: 'Member' },
  { value: 'viewer', label: 'Viewer' },
]
