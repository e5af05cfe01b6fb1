/** The permissions of a member: an owner may do everything, a member may edit, a viewer may read. */
export const MEMBER_ROLES = ['owner', 'member', 'viewer'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** Whether someone with this role may create API tokens, and keep their own. */
export const canMakeTokens = (role: MemberRole): boolean => role !== 'viewer'

/** Why the server ended an API token of a person: they left the team, or their role may not make tokens any more. */
export const TOKEN_END_REASONS = ['maker_left', 'maker_role'] as const
export type TokenEndReason = (typeof TOKEN_END_REASONS)[number]

/** Whether someone with this role may change documents. */
export const canEdit = (role: MemberRole): boolean => role !== 'viewer'
