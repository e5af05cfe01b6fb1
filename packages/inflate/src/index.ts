export { deflateAsZlib } from './deflate.ts'
export { type Inflated, type InflateEnd, inflateRaw, inflateZlib } from './inflate.ts'
