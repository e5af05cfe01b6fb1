/** The permissions of a member: an owner may do everything, a member may edit, a viewer may read. */
export const MEMBER_ROLES = ['owner', 'member', 'viewer'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** Whether someone with this role may change documents. */
export const canEdit = (role: MemberRole): boolean => role !== 'viewer'

/** Whether a role includes the permissions of another. */
export const hasRole = (role: MemberRole, needed: MemberRole): boolean =>
  MEMBER_ROLES.indexOf(role) <= MEMBER_ROLES.indexOf(needed)
