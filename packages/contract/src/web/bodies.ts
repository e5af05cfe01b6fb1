import Type from 'typebox'

/** A body of bytes, not of JSON. Sent as `application/octet-stream`. */
export const Bytes = Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/octet-stream' })

/** 204: done, without a body. */
export const Nothing = Type.Unsafe<void>({ type: 'null' })

/** 302: for a link that the browser follows, not for `fetch`. */
export const Redirect = Type.Unsafe<never>({ type: 'null', description: 'A redirection.' })

/** No parameters. */
export const None = Type.Object({})

/** The cursor of the next page, as returned with the page before. Null: it was the last page. */
export const Next = Type.Union([Type.String(), Type.Null()])
export const After = Type.Optional(Type.String({ maxLength: 200 }))
