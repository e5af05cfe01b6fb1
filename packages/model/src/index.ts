export { type GeometryMeasurer, openGeometryMeasurer } from './geometry-measurer.ts'
