export { drawGraphThumbnail, drawModelThumbnail, drawValuesThumbnail, type Thumbnail } from './thumbnail.ts'
