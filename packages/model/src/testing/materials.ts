import type { Colour, Shader } from '@meadow/geometry/values/value'

export const colour = (red: number, green: number, blue: number, alpha = 255): Colour => ({
  type: 'colour',
  red,
  green,
  blue,
  alpha,
})

/** A material as Grasshopper makes it of a colour. */
export const paint = (diffuse: Colour): Shader => ({
  type: 'shader',
  diffuse,
  specular: colour(255, 255, 255),
  emission: colour(0, 0, 0),
  transparency: 1 - diffuse.alpha / 255,
  shine: 0,
})

export const GLASS: Shader = {
  type: 'shader',
  diffuse: colour(20, 200, 180),
  specular: colour(240, 250, 255),
  emission: colour(1, 2, 3),
  transparency: 0.75,
  shine: 40,
}
