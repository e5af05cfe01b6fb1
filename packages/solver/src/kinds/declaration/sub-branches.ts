import type { Tree } from '../../tree/tree.ts'
import type { KindContext } from './define-kind.ts'

/**
 * Lists of one run as the branches {A;0}, {A;1} and so on, where {A} is the branch of its inputs. Several runs for a branch
 * share these paths. Source: results of Point Groups and Proximity in pyhopper, and its notes.
 */
export function toSubBranches<T>(lists: readonly (readonly T[])[], { path }: KindContext): Tree<T> {
  return { branches: lists.map((values, i) => ({ path: [...path.slice(0, -1), i], values })) }
}
