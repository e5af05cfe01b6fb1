/** The sentence by which the web app recognises that it has to ask who is there, and to repeat the request. */
export const FRESH_SIGN_IN_NEEDED = 'Confirm that it is you, and try again.'
