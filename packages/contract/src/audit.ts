/** What the audit log records: each action by its name, in the words of a person. */
export const AUDIT_ACTIONS = {
  'sign_in.succeeded': 'Signed in',
  'sign_in.failed': 'Failed to sign in',
  sign_out: 'Signed out',
  'session.ended': 'Ended sessions',
  'password.changed': 'Changed a password',
  'second_factor.given': 'Gave a second factor',
  'second_factor.failed': 'Failed to give a second factor',
  'second_factor.added': 'Added a second factor',
  'second_factor.removed': 'Removed a second factor',
  'second_factor.reset': 'Removed all second factors of a person',
  'recovery_codes.replaced': 'Created new recovery codes',
  'password.reset_asked': 'Asked for a new password',
  'address.confirmed': 'Confirmed an address',
  'address.changed': 'Changed an address',
  'user.created': 'Created an account',
  'user.deleted': 'Deleted an account',
  'user.renamed': 'Changed their name',
  'token.created': 'Created an API token',
  'token.revoked': 'Revoked an API token',
  'token.ended': 'Lost an API token',
  'token.replaced': 'Replaced an API token',
  'token.policy_changed': 'Changed the policy of API tokens',
  'webhook.added': 'Added a webhook',
  'webhook.changed': 'Changed a webhook',
  'webhook.ended': 'Lost a webhook',
  'webhook.removed': 'Removed a webhook',
  'webhook.secret_shown': 'Looked at the secret of a webhook',
  'webhook.secret_rotated': 'Gave a webhook a new secret',
  'webhook.replayed': 'Delivered to a webhook again',
  'member.added': 'Added a member',
  'member.role_changed': 'Changed a role',
  'member.removed': 'Removed a member',
  'invitation.created': 'Created an invitation',
  'invitation.withdrawn': 'Withdrew an invitation',
  'invitation.accepted': 'Accepted an invitation',
  'team.created': 'Created the team',
  'team.settings_changed': 'Changed settings',
  'team.host_changed': 'Changed the host name',
  'team.deleted': 'Deleted the team',
  'team.restored': 'Restored the team',
  'team.credits_added': 'Added credits',
  'document.visibility_changed': 'Changed who sees a document',
  'document.downloaded': 'Downloaded a file',
  'export.made': 'Exported',
  'export.linked': 'Got a link to an export',
  'export.downloaded': 'Downloaded an export',
  'import.done': 'Imported a folder',
  'upload.done': 'Uploaded a file',
  'solve.requested': 'Asked for a solve',
  'bin.deleted': 'Deleted into the bin',
  'bin.restored': 'Restored from the bin',
  'bin.purged': 'Deleted permanently',
  'version.named': 'Named a version',
  'version.pinned': 'Pinned a version',
  'version.unpinned': 'Unpinned a version',
  'version.restored': 'Restored a version',
  'version.deleted': 'Deleted a version',
  'comment.added': 'Commented',
  'comment.edited': 'Edited a comment',
  'comment.deleted': 'Deleted a comment',
  'comment.resolved': 'Resolved comments',
  'comment.reopened': 'Reopened comments',
  'links.key_rotated': 'Changed the key of links',
  'audit.downloaded': 'Downloaded the audit log',
  'audit.purged': 'Removed the audit log of a team',
  'command.run': 'Ran a command',
} as const

export type AuditAction = keyof typeof AUDIT_ACTIONS

/**
 * Who did it. `operator`: someone with the service's own commands. `service`: the service by itself. `link`: the bearer of
 * a link. `anonymous`: someone who is not signed in.
 */
export const AUDIT_ACTOR_KINDS = ['user', 'token', 'operator', 'service', 'link', 'anonymous'] as const
export type AuditActorKind = (typeof AUDIT_ACTOR_KINDS)[number]

/** What the audit log is downloaded as. */
export const AUDIT_FORMATS = ['csv', 'jsonl'] as const
export type AuditFormat = (typeof AUDIT_FORMATS)[number]
