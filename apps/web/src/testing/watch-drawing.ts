import type { Page } from 'playwright-core'

/** What WebGL has drawn. */
export interface Drawn {
  /** When other geometry was drawn for the first time, in milliseconds as of `performance.now()`. */
  at: number
  /** Of the last frame. */
  triangles: number
}

/** Records when the scene is drawn with other geometry, and of how many triangles it is. */
export const watchDrawing = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const drawn = { at: 0, triangles: 0 }
    Object.assign(globalThis, { drawn })
    const context = WebGL2RenderingContext.prototype
    let isNew = false
    let isInFrame = false
    const { bufferData, bufferSubData, drawElements, drawArrays } = context
    context.bufferData = function (...given: unknown[]) {
      isNew = true
      Reflect.apply(bufferData, this, given)
    }
    context.bufferSubData = function (...given: unknown[]) {
      isNew = true
      Reflect.apply(bufferSubData, this, given)
    }
    const onDraw = (mode: number, count: number) => {
      if (isNew) drawn.at = performance.now()
      isNew = false
      // The draw calls of a frame are made in one go.
      if (!isInFrame) {
        isInFrame = true
        drawn.triangles = 0
        setTimeout(() => {
          isInFrame = false
        })
      }
      if (mode === context.TRIANGLES) drawn.triangles += count / 3
    }
    context.drawElements = function (...given) {
      Reflect.apply(drawElements, this, given)
      onDraw(given[0], given[1])
    }
    context.drawArrays = function (...given) {
      Reflect.apply(drawArrays, this, given)
      onDraw(given[0], given[2])
    }
  })

/** Waits until a frame of more triangles than this is drawn; {@link watchDrawing} was called before the page was opened. */
export async function waitForTriangles(page: Page, least: number): Promise<void> {
  await page.waitForFunction(
    (least) => (globalThis as unknown as { drawn: Drawn }).drawn.triangles > least,
    least,
  )
}
