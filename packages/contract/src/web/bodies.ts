import Type from 'typebox'

/** A body of bytes, not of JSON. Sent as `application/octet-stream`. */
export const Bytes = Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/octet-stream' })

/** The response of status 204, which has no body. */
export const Nothing = Type.Unsafe<void>({ type: 'null' })

/** The response of status 302, for a link that the browser follows, not for `fetch`. */
export const Redirect = Type.Unsafe<never>({ type: 'null', description: 'A redirection.' })

/** Declares that there are no parameters. */
export const None = Type.Object({})

/** The cursor of the next page, which is requested with it as `after`. Null: this is the last page. */
export const Next = Type.Union([Type.String(), Type.Null()])
export const After = Type.Optional(Type.String({ maxLength: 200 }))
