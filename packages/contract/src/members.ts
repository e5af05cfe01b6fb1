/** What a member of a team may do there: an owner everything, a member edit, a viewer look. */
export const MEMBER_ROLES = ['owner', 'member', 'viewer'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** Whether someone with this role may change documents. */
export const canEdit = (role: MemberRole): boolean => role !== 'viewer'
