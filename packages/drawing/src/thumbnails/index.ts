export type { Drawable } from './listed-shapes.ts'
export { drawGraphThumbnail, drawThumbnail, drawWholeThumbnail, type Thumbnail } from './thumbnail.ts'
export { writePng } from './write-png.ts'
