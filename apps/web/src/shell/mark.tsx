import { findPublicPath } from '../api/public-path.ts'

/** The picture that stands for Meadow, beside its name. `size` is in pixels. */
export function Mark({ size }: { size: number }) {
  return <img src={`${findPublicPath()}/favicon.svg`} alt="" width={size} height={size} />
}
