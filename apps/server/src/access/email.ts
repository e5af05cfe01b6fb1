const MAX_LETTERS = 254

/** One part, an @, and a host name with a dot: what better-auth takes for an address too. */
const EMAIL = /^[a-z0-9_'+-]+(\.[a-z0-9_'+-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i

/** An e-mail address in the form in which it is stored, in small letters; undefined for what is none. */
export function readEmailAddress(text: string): string | undefined {
  const email = text.trim()
  return email.length <= MAX_LETTERS && EMAIL.test(email) ? email.toLowerCase() : undefined
}
