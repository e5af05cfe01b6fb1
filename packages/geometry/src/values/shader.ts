import { type Colour, colour, type Shader } from './value.ts'

/** The material of a colour, as Grasshopper makes it: as transparent as the colour, with white highlights. */
export function toShader(diffuse: Colour): Shader {
  const [specular, emission] = [colour(255, 255, 255), colour(0, 0, 0)]
  return { type: 'shader', diffuse, specular, emission, transparency: 1 - diffuse.alpha / 255, shine: 0 }
}

/** How transparent a material is, from 0 to 1: as its diffuse colour, or as it says itself if that is more. */
export function getTransparency({ diffuse, transparency }: Shader): number {
  return Math.max(1 - diffuse.alpha / 255, transparency)
}

/** The colour that a view without materials shows a material in. */
export function getPreviewColour(shader: Shader): Colour {
  return { ...shader.diffuse, alpha: Math.round(255 * (1 - getTransparency(shader))) }
}
