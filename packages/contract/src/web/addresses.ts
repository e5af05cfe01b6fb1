import Type from 'typebox'
import { appEndpoint } from './app-endpoint.ts'
import { Nothing } from './bodies.ts'
import { Email, Password } from './people.ts'
import { Me } from './session.ts'

const LinkSecret = Type.String({ maxLength: 100, description: 'What follows the `#` of the link.' })

/**
 * Ask for a mail with a link to set a new password. The response is the same for every address, so that nobody learns
 * who has an account.
 */
export const requestPasswordReset = appEndpoint({
  method: 'POST',
  path: '/password-reset',
  needs: 'anyone',
  body: Type.Object({ email: Email }),
  response: Nothing,
  errors: ['mail_not_set_up', 'email_not_acceptable', 'too_many_attempts'],
})

/** Set a new password by a link. Ends all sessions of the person. Works once. */
export const resetPassword = appEndpoint({
  method: 'POST',
  path: '/password-reset/finish',
  needs: 'anyone',
  body: Type.Object({ secret: LinkSecret, password: Password }),
  response: Nothing,
  errors: ['link_not_valid', 'password_not_acceptable', 'too_many_attempts'],
})

/** Ask for a mail with a link that confirms the own address. */
export const requestConfirmation = appEndpoint({
  method: 'POST',
  path: '/me/email/confirmation',
  needs: 'person',
  response: Nothing,
  errors: ['mail_not_set_up', 'too_many_attempts'],
})

/**
 * Ask for a mail to a new address with a link that makes it the own one. The old address stays until the link in the
 * mail to the new one was followed.
 */
export const changeEmail = appEndpoint({
  method: 'POST',
  path: '/me/email',
  needs: 'person',
  needsFreshSignIn: true,
  body: Type.Object({ email: Email }),
  response: Nothing,
  errors: ['mail_not_set_up', 'email_not_acceptable', 'too_many_attempts'],
})

/**
 * Confirm the own address by a link. Works once, and only in a session of the person whom the link is for: whoever gets
 * a mail that they did not ask for must not confirm the account of somebody else.
 */
export const confirmAddress = appEndpoint({
  method: 'POST',
  path: '/me/email/confirm',
  needs: 'person',
  body: Type.Object({ secret: LinkSecret }),
  response: Me,
  errors: ['link_not_valid', 'email_taken', 'too_many_attempts'],
})
