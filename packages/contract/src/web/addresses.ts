import Type from 'typebox'
import { appEndpoint } from './app-endpoint.ts'
import { None, Nothing } from './bodies.ts'
import { Email, Password } from './people.ts'
import { Me } from './session.ts'

const LinkSecret = Type.String({ maxLength: 100, description: 'What follows the `#` of the link.' })

/** The response is the same for every address, so that nobody learns who has an account. */
export const requestPasswordReset = appEndpoint({
  name: 'requestPasswordReset',
  method: 'POST',
  path: '/password-reset',
  summary: 'Ask for a mail with a link to set a new password.',
  needs: 'anyone',
  params: None,
  query: None,
  body: Type.Object({ email: Email }),
  response: Nothing,
  errors: ['mail_not_set_up', 'email_not_acceptable', 'too_many_attempts'],
})

/** Ends all sessions of the person. Works once. */
export const resetPassword = appEndpoint({
  name: 'resetPassword',
  method: 'POST',
  path: '/password-reset/finish',
  summary: 'Set a new password by a link.',
  needs: 'anyone',
  params: None,
  query: None,
  body: Type.Object({ secret: LinkSecret, password: Password }),
  response: Nothing,
  errors: ['link_not_valid', 'password_not_acceptable', 'too_many_attempts'],
})

export const requestConfirmation = appEndpoint({
  name: 'requestConfirmation',
  method: 'POST',
  path: '/me/email/confirmation',
  summary: 'Ask for a mail with a link that confirms the own address.',
  needs: 'person',
  params: None,
  query: None,
  body: undefined,
  response: Nothing,
  errors: ['mail_not_set_up', 'too_many_attempts'],
})

/** The old address stays until the link in the mail to the new one was followed. */
export const changeEmail = appEndpoint({
  name: 'changeEmail',
  method: 'POST',
  path: '/me/email',
  summary: 'Ask for a mail to a new address with a link that makes it the own one.',
  needs: 'person',
  needsFreshSignIn: true,
  params: None,
  query: None,
  body: Type.Object({ email: Email }),
  response: Nothing,
  errors: ['mail_not_set_up', 'email_not_acceptable', 'too_many_attempts'],
})

/**
 * Only in a session of the person whom the link is for: whoever gets a mail that they did not ask for must not confirm
 * the account of somebody else.
 */
export const confirmAddress = appEndpoint({
  name: 'confirmAddress',
  method: 'POST',
  path: '/me/email/confirm',
  summary: 'Confirm the own address by a link. Works once.',
  needs: 'person',
  params: None,
  query: None,
  body: Type.Object({ secret: LinkSecret }),
  response: Me,
  errors: ['link_not_valid', 'email_taken', 'too_many_attempts'],
})
