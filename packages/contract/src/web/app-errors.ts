import { API_ERRORS } from '../errors.ts'
import { FRESH_SIGN_IN_NEEDED } from './fresh-sign-in.ts'

/** The errors of the web app's endpoints, by code. Errors that the API has too use its sentences. */
export const APP_ERRORS = {
  ...API_ERRORS,
  // Errors of any endpoint.
  request_from_another_site: {
    status: 403,
    sentence: 'This request came from another site. Open Meadow itself and try again.',
  },
  body_not_json: { status: 415, sentence: 'The body of this request must be JSON, and say so.' },
  body_not_bytes: {
    status: 415,
    sentence: 'The body of this request must be the file, as application/octet-stream.',
  },
  // Errors of /live.
  upgrade_needed: {
    status: 426,
    sentence: 'Documents are edited over WebSocket here: connect with a client such as @meadow/client.',
  },
  // Errors of /metrics.
  metrics_token_needed: {
    status: 401,
    sentence: 'Monitoring needs a token here: "Authorization: Bearer" with the text of MEADOW_METRICS_TOKEN.',
  },
  // Errors about who the caller is and what they may do.
  not_signed_in: { status: 401, sentence: 'Sign in first.' },
  role_missing: { status: 403, sentence: 'Your role in this team does not allow that.' },
  fresh_sign_in_needed: { status: 403, sentence: FRESH_SIGN_IN_NEEDED },
  code_not_right: {
    status: 403,
    sentence: 'That code is wrong, or was used before. Wait for the next one, or use a recovery code.',
  },
  passkey_not_right: {
    status: 403,
    sentence: 'That passkey was not accepted. Try again, or use another factor.',
  },
  passkey_exists: {
    status: 409,
    sentence: 'This passkey was added already.',
  },
  passkey_not_here: {
    status: 409,
    sentence: 'None of your passkeys was made at this address. Use another factor, or a recovery code.',
  },
  passkey_without_page: {
    status: 400,
    sentence: 'Passkeys work in a browser only: the request has no origin.',
  },
  authenticator_exists: {
    status: 409,
    sentence: 'You have an authenticator app already. Remove it first.',
  },
  enrolment_not_valid: {
    status: 410,
    sentence: 'Setting up the authenticator app took too long. Start again.',
  },
  second_factor_missing: {
    status: 409,
    sentence: 'Set up a second factor of your own first, under Account and Security.',
  },
  second_factor_not_found: { status: 404, sentence: 'Could not find that second factor.' },
  session_not_found: { status: 404, sentence: 'Could not find that session. It may have ended.' },
  sign_in_failed: { status: 401, sentence: 'The e-mail address or the password is wrong.' },
  too_many_attempts: { status: 429, sentence: 'Too many attempts. Wait a little and try again.' },
  password_not_right: { status: 403, sentence: 'The current password is wrong.' },
  password_not_acceptable: { status: 400, sentence: 'That password cannot be taken.' },
  email_not_acceptable: { status: 400, sentence: 'That is not an e-mail address.' },
  mail_not_set_up: {
    status: 409,
    sentence: 'No mails are sent here. Ask the operator of this server for help.',
  },
  link_not_valid: {
    status: 410,
    sentence: 'This link was used, has expired, or belongs to another account. Ask for a new one.',
  },
  oidc_not_reachable: {
    status: 502,
    sentence: 'The service that signs people in cannot be reached. Try again in a moment.',
  },
  oidc_not_set_up: { status: 404, sentence: 'Signing in through another service is not set up here.' },
  // Errors about resources that do not exist.
  team_not_found: { status: 404, sentence: 'Could not find that team.' },
  file_not_found: { status: 404, sentence: 'Could not find that file.' },
  bin_item_not_found: { status: 404, sentence: 'Could not find that item in the bin.' },
  member_not_found: { status: 404, sentence: 'Could not find that member.' },
  webhook_not_found: { status: 404, sentence: 'Could not find that webhook.' },
  webhook_url_not_acceptable: { status: 400, sentence: 'That address cannot be that of a webhook.' },
  webhook_not_enabled: { status: 409, sentence: 'This webhook is disabled. Enable it first.' },
  webhook_secret_lost: {
    status: 409,
    sentence: 'The secret of this webhook can no longer be read. Give it a new one.',
  },
  webhook_time_not_acceptable: { status: 400, sentence: 'That time is not one that is accepted here.' },
  too_many_webhooks: {
    status: 409,
    sentence: 'The team has as many webhooks as it can have. Remove one first.',
  },
  too_many_favourites: {
    status: 409,
    sentence: 'You have as many favourites as there can be. Remove some first.',
  },
  too_many_tests: { status: 429, sentence: 'Wait until the tests of this webhook are delivered.' },
  delivery_not_found: { status: 404, sentence: 'Could not find that delivery.' },
  device_code_not_found: {
    status: 404,
    sentence:
      'No program waits with that code. It may have expired or been used: compare it, or start again.',
  },
  invitation_not_found: { status: 404, sentence: 'Could not find that invitation.' },
  mirror_not_found: { status: 404, sentence: 'Could not find that mirror.' },
  token_not_found: { status: 404, sentence: 'Could not find that API token.' },
  solution_not_found: {
    status: 404,
    sentence: 'Could not find that solution. A newer one may have taken its place.',
  },
  version_not_found: {
    status: 404,
    sentence: 'Could not find that version. It may have been removed by the policy of the team.',
  },
  thread_not_found: {
    status: 404,
    sentence: 'Could not find that thread of comments. It may have been deleted.',
  },
  comment_not_found: { status: 404, sentence: 'Could not find that comment. It may have been deleted.' },
  comment_of_another: {
    status: 403,
    sentence: 'Only the author of a comment edits it. It is deleted by its author or an owner of the team.',
  },
  view_not_found: { status: 404, sentence: 'Could not find that view. It may have been deleted.' },
  port_not_found: { status: 404, sentence: 'The solution holds nothing for that port.' },
  // Errors about values and states that do not allow the request.
  name_not_acceptable: { status: 400, sentence: 'A name has 1 to 255 characters, and not only spaces.' },
  root_folder_stays: { status: 409, sentence: "The team's root folder cannot be renamed, moved or deleted." },
  folder_inside_itself: {
    status: 409,
    sentence: 'A folder cannot be moved into itself or into one inside it.',
  },
  folder_of_another_team: { status: 409, sentence: 'Things cannot be moved from one team to another.' },
  folders_too_deep: { status: 409, sentence: 'Folders cannot be nested that deeply.' },
  last_owner_stays: {
    status: 409,
    sentence: 'A team keeps at least one owner: make somebody else an owner first.',
  },
  confirmation_not_right: {
    status: 400,
    sentence:
      'What was typed as a confirmation is not the name of what is to be deleted. Nothing was changed.',
  },
  deleted_team_not_found: {
    status: 404,
    sentence: 'There is no deleted team with this id that you own.',
  },
  deleted_by_operator: {
    status: 403,
    sentence: 'The operator of this server deleted the team. Ask them to restore it.',
  },
  team_not_restorable: {
    status: 409,
    sentence: 'The team cannot be restored any more: it is being removed.',
  },
  already_a_member: { status: 409, sentence: 'You are in this team already.' },
  email_taken: {
    status: 409,
    sentence: 'There is an account with that e-mail address. Sign in with it first.',
  },
  invitation_not_valid: {
    status: 410,
    sentence: 'This invitation was used, withdrawn, or has expired. Ask for a new one.',
  },
  host_name_of_operator: {
    status: 403,
    sentence:
      'Only the operator of this server sets a team\'s host name, with "meadow-server team host". Nothing was changed.',
  },
  expiry_not_acceptable: {
    status: 400,
    sentence: 'The expiry must be in the future, and at most ten years from now.',
  },
  audit_time_not_acceptable: {
    status: 400,
    sentence: 'A time must be one such as 2026-11-23T18:00:00Z.',
  },
  public_not_allowed: {
    status: 409,
    sentence: "The team does not allow public documents. An owner can allow them in the team's settings.",
  },
  public_end_not_acceptable: {
    status: 400,
    sentence: 'The end must be in the future, and not later than the team allows.',
  },
  expiry_beyond_policy: {
    status: 400,
    sentence: "The team's policy does not allow API tokens that last that long.",
  },
  scope_not_in_policy: {
    status: 400,
    sentence: "The team's policy does not allow API tokens with that scope.",
  },
  addresses_not_acceptable: {
    status: 400,
    sentence:
      'Each address must be an IP address such as 203.0.113.7, or a network such as 10.0.0.0/8 or 2001:db8::/32.',
  },
  origins_not_acceptable: {
    status: 400,
    sentence:
      'Each origin must be one such as https://dashboard.example.org or http://localhost:5173, without a path, or null.',
  },
  token_not_replaceable: {
    status: 409,
    sentence: 'This API token has ended, or another one took its place already.',
  },
  no_credits: { status: 402, sentence: 'The team has no credits left, so nothing is solved.' },
  version_name_not_acceptable: {
    status: 400,
    sentence: 'The name of a version has 1 to 200 characters, and not only spaces.',
  },
  version_not_restorable: {
    status: 409,
    sentence:
      'That version cannot be restored, because it is beyond the limits of documents that are edited.',
  },
  version_without_solution: {
    status: 409,
    sentence:
      'The solution of that version is not kept, so there is no model of it. Restore it, and solve it.',
  },
  version_policy_not_acceptable: {
    status: 400,
    sentence: 'Each time of the policy must be as long as the one before it, or longer.',
  },
  comment_not_acceptable: {
    status: 400,
    sentence:
      'A comment has 1 to 5,000 characters of plain text, without control characters, and mentions 20 people at most.',
  },
  too_many_threads: {
    status: 409,
    sentence: 'The document has as many threads of comments as it can have. Delete some that are resolved.',
  },
  too_many_comments: {
    status: 409,
    sentence: 'This thread has as many comments as it can have. Begin another one.',
  },
  too_many_views: {
    status: 409,
    sentence: 'The document has as many named views as it can have. Delete some of them.',
  },
  view_too_large: {
    status: 400,
    sentence:
      'The view hides or isolates more single objects than a named view can keep. Hide whole nodes, or show all.',
  },
  comments_too_fast: { status: 429, sentence: 'You wrote many comments in the last minute. Wait a moment.' },
  time_zone_unknown: {
    status: 400,
    sentence: 'This server does not know that time zone: pass a name such as Europe/Berlin, or UTC.',
  },
  // Errors about files.
  file_not_readable: { status: 422, sentence: 'That file could not be read.' },
  file_kind_not_accepted: {
    status: 415,
    sentence: 'Only .gh, .ghx, .3dm, .ghuser, .ghcluster, .txt and .csv files can be uploaded.',
  },
  quota_reached: {
    status: 409,
    sentence:
      'The team has no room for this. Delete documents permanently, or ask the operator of the server to raise the limit.',
  },
  upload_too_slow: {
    status: 408,
    sentence: 'The upload stalled or was too slow, so it was cancelled. Try again over a better connection.',
  },
  upload_broke_off: {
    status: 400,
    sentence: 'The upload was interrupted before the whole file had arrived.',
  },
  solution_too_large: {
    status: 502,
    sentence: 'This solution is too large to show its values here. The API returns all of them.',
  },
  geometry_not_readable: { status: 502, sentence: 'The geometry of this solution could not be read.' },
} as const satisfies Record<string, { status: number; sentence: string }>

export type AppErrorCode = keyof typeof APP_ERRORS
