import Type, { type Static } from 'typebox'

/** Whether documents of a team may be public. */
export const PublicPolicy = Type.Object({
  allowed: Type.Boolean(),
  /** The maximum number of days for which a document is public; null for no end. */
  days: Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()]),
})
export type PublicPolicy = Static<typeof PublicPolicy>
