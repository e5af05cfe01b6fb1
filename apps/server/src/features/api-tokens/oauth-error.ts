/** An error in the form of RFC 6749, 5.2, which differs from all others of the service. */
export class OAuthError extends Error {
  readonly code: string
  constructor(code: string, description: string, options?: ErrorOptions) {
    super(description, options)
    this.code = code
  }
}
