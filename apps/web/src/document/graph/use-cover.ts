import { useStoreApi } from '@xyflow/react'
import { useEffect, useState } from 'react'
import { contains, grow, type Rectangle } from './rectangle.ts'

/** Below this zoom texts are too small to be read. */
export const FAR = 0.4
/** Of what is seen, prepared on each side of it. */
const MARGIN = 0.3
/** What is drawn is sharp again so long after the last change of the zoom. */
const SETTLE_MS = 120

/** The part of the canvas that is drawn: what is seen and some more, so that moving a little needs nothing new. */
export interface Cover {
  area: Rectangle
  zoom: number
}

/** Changes rarely while the canvas is moved, which costs nothing but that. Undefined until the canvas knows its size. */
export function useCover(): Cover | undefined {
  const store = useStoreApi()
  const [cover, setCover] = useState<Cover>()
  useEffect(() => {
    let now: Cover | undefined
    let settle: number | undefined
    const take = () => {
      const seen = readView()
      if (!seen) return
      const { left, top, right, bottom } = seen.area
      const area = grow(seen.area, MARGIN * (right - left), MARGIN * (bottom - top))
      now = { area, zoom: seen.zoom }
      setCover(now)
    }
    const readView = (): Cover | undefined => {
      const { transform, width, height } = store.getState()
      const [x, y, zoom] = transform
      if (width === 0 || height === 0) return undefined
      return {
        area: { left: -x / zoom, top: -y / zoom, right: (width - x) / zoom, bottom: (height - y) / zoom },
        zoom,
      }
    }
    const check = () => {
      const seen = readView()
      if (!seen) return
      const isLeft = !now || !contains(now.area, seen.area)
      const isCoarse = now && (seen.zoom / now.zoom > 2 || seen.zoom / now.zoom < 0.5)
      if (isLeft || isCoarse) take()
      else if (now && seen.zoom !== now.zoom) {
        clearTimeout(settle)
        settle = window.setTimeout(take, SETTLE_MS)
      }
    }
    check()
    const end = store.subscribe((state, last) => {
      if (state.transform !== last.transform || state.width !== last.width || state.height !== last.height)
        check()
    })
    return () => {
      clearTimeout(settle)
      end()
    }
  }, [store])
  return cover
}
