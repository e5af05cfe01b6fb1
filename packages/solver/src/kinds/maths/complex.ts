import type { Complex } from '@meadow/geometry/values/value'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { item } from '../declaration/ports.ts'

/** Complex numbers and their parts (rule I-17). */
export const COMPLEX: readonly Kind[] = [
  defineKind({
    guid: '63d12974-2915-4ccf-ac26-5d566c3bac92',
    description: 'A complex number from its real and its imaginary part.',
    solve: ([real, imaginary]) => [complex(real, imaginary)],
  }),
  defineKind({
    guid: '1f384257-b26b-4160-a6d3-1dcd89b64acd',
    description: 'The real and the imaginary part of a complex number.',
    solve: ([{ real, imaginary }]) => [real, imaginary],
  }),
  defineKind({
    guid: '7d2a6064-51f0-45b2-adc4-f417b30dcd15',
    description: 'A complex number with its imaginary part reversed.',
    solve: ([{ real, imaginary }]) => [complex(real, 0 - imaginary)],
  }),
  defineKind({
    guid: '88fb33f9-f467-452b-a0e3-44bdb78a9b06',
    description: 'The distance of a complex number from 0.',
    solve: ([z]) => [modulus(z)],
  }),
  defineKind({
    guid: 'be715e4c-d6d8-447b-a9c3-6fea700d0b83',
    description: 'The angle of a complex number, in radians, above -π up to π.',
    solve: ([z], context) => {
      if (modulus(z) > 0) return [argument(z)]
      context.limit('The angle of 0 is not published')
      return []
    },
  }),
]

/** Functions of complex numbers, which only files of earlier years hold. */
export const COMPLEX_FUNCTIONS: readonly Kind[] = [
  ofTwo('58669268-a825-4688-8072-7d3508fcf91c', 'The sum of two complex numbers.', add),
  ofTwo('babecca6-9813-4146-b150-cd72f743e47c', 'A complex number less another.', subtract),
  ofTwo('2f643ab6-b9a4-4923-b3da-f9d52b0cba14', 'The product of two complex numbers.', multiply),
  ofTwo('cb4ec4a1-f48e-4685-b58c-72ed27b53681', 'A complex number divided by another.', divide),
  ofTwo('2d6cb24f-da89-4fab-be0f-e5d439e0217a', 'A complex number to the power of another.', (a, b) =>
    exponential(multiply(b, logarithm(a))),
  ),
  ofOne('0b0f1203-2ea8-4250-a45a-cca7ad2e5b76', 'The square of a complex number.', (z) => multiply(z, z)),
  ofOne('5a22dc1a-907c-4e2f-b8da-0e496c4e25bb', 'The square root of a complex number.', root),
  ofOne('582f96c6-ed0c-4710-9b5e-a05addba9f42', 'A power of e with a complex exponent.', exponential),
  ofOne('bc4a27fc-cbb9-4802-bd4a-17ab33ad1826', 'The natural logarithm of a complex number.', logarithm),
  ofOne('c53932eb-7c8c-4825-ae98-e36bba97232d', 'The sine of a complex number.', sine),
  ofOne('7874f26c-6f76-4da8-b527-2d567184b2bd', 'The cosine of a complex number.', cosine),
  ofOne('0bc93049-e1a7-44b5-8068-c7ddc85a9f46', 'The tangent of a complex number.', (z) =>
    divide(sine(z), cosine(z)),
  ),
  ofOne('39461433-ac44-4298-94a9-988f983e347c', 'One over the tangent of a complex number.', (z) =>
    divide(cosine(z), sine(z)),
  ),
  ofOne('d879e74c-6fe3-4cbf-b3fa-60a7c48b73e7', 'One over the cosine of a complex number.', (z) =>
    divide(ONE, cosine(z)),
  ),
  ofOne('99197a17-d5c7-419b-acde-eca2737f3c58', 'One over the sine of a complex number.', (z) =>
    divide(ONE, sine(z)),
  ),
  ofOne('f18091e9-3264-4dd4-9ba6-32c77fca0ac0', 'The angle of a complex sine.', (z) => arcSine(z)),
  ofOne('8640c519-9bf6-4e9a-a108-75f9d89b2c58', 'The angle of a complex cosine.', (z) =>
    subtract(complex(Math.PI / 2, 0), arcSine(z)),
  ),
  ofOne('4e8aad42-9111-470c-9acd-7ae365d8bba4', 'The angle of a complex tangent.', arcTangent),
]

function ofOne(guid: string, description: string, run: (z: Complex) => Complex): Kind {
  return defineKind({
    guid,
    description,
    inputs: [item.complex],
    outputs: [item.complex],
    solve: ([z], context) => toOutput(run(z), context),
  })
}

function ofTwo(guid: string, description: string, run: (a: Complex, b: Complex) => Complex): Kind {
  return defineKind({
    guid,
    description,
    inputs: [item.complex, item.complex],
    outputs: [item.complex],
    solve: ([a, b], context) => toOutput(run(a, b), context),
  })
}

function toOutput(result: Complex, context: KindContext): [result?: Complex] {
  if (Number.isFinite(result.real) && Number.isFinite(result.imaginary)) return [result]
  context.limit('The result has no finite size, or lies where the function jumps')
  return []
}

function complex(real: number, imaginary: number): Complex {
  return { type: 'complex', real, imaginary }
}

const ZERO = complex(0, 0)
const ONE = complex(1, 0)

function modulus({ real, imaginary }: Complex): number {
  return Math.hypot(real, imaginary)
}

/** Adding 0 turns -0 into 0, whose angle is on the other side. */
function argument({ real, imaginary }: Complex): number {
  return Math.atan2(imaginary + 0, real + 0)
}

function add(a: Complex, b: Complex): Complex {
  return complex(a.real + b.real, a.imaginary + b.imaginary)
}

function subtract(a: Complex, b: Complex): Complex {
  return complex(a.real - b.real, a.imaginary - b.imaginary)
}

function multiply(a: Complex, b: Complex): Complex {
  return complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
}

/** Scaled by the larger part of the divisor, so that no square leaves the range of numbers. Source: Smith, 1962. */
function divide(a: Complex, b: Complex): Complex {
  if (Math.abs(b.real) < Math.abs(b.imaginary)) {
    return divide(complex(a.imaginary, -a.real), complex(b.imaginary, -b.real))
  }
  const ratio = b.imaginary / b.real
  const size = b.real + b.imaginary * ratio
  return complex((a.real + a.imaginary * ratio) / size, (a.imaginary - a.real * ratio) / size)
}

function exponential({ real, imaginary }: Complex): Complex {
  const size = Math.exp(real)
  return complex(size * Math.cos(imaginary), size * Math.sin(imaginary))
}

function logarithm(z: Complex): Complex {
  return complex(Math.log(modulus(z)), argument(z))
}

/** The root with a real part of 0 or more. */
function root(z: Complex): Complex {
  const size = Math.sqrt(modulus(z))
  const half = argument(z) / 2
  return complex(size * Math.cos(half), size * Math.sin(half))
}

function sine({ real, imaginary }: Complex): Complex {
  return complex(Math.sin(real) * Math.cosh(imaginary), Math.cos(real) * Math.sinh(imaginary))
}

function cosine({ real, imaginary }: Complex): Complex {
  return complex(Math.cos(real) * Math.cosh(imaginary), -Math.sin(real) * Math.sinh(imaginary))
}

/**
 * NaN on the cuts, where a real number is beyond 1: two values are as good there. Both terms of the sum have the same
 * direction in the lower half of the plane, so that they do not cancel each other; the upper half is its reverse.
 * Source: DLMF 4.23.19, −i log(iz + √(1 − z²)).
 */
function arcSine(z: Complex): Complex {
  if (z.imaginary === 0 && Math.abs(z.real) > 1) return complex(Number.NaN, 0)
  if (z.imaginary > 0) return subtract(ZERO, arcSine(subtract(ZERO, z)))
  const square = multiply(subtract(ONE, z), add(ONE, z))
  const { real, imaginary } = logarithm(add(complex(-z.imaginary, z.real), root(square)))
  return complex(imaginary, -real)
}

/**
 * NaN on the cuts, where an imaginary number is i or beyond it.
 * Source: DLMF 4.23.26, (i/2) (log(1 − iz) − log(1 + iz)).
 */
function arcTangent(z: Complex): Complex {
  if (z.real === 0 && Math.abs(z.imaginary) >= 1) return complex(Number.NaN, 0)
  const turned = complex(-z.imaginary, z.real)
  const { real, imaginary } = subtract(logarithm(subtract(ONE, turned)), logarithm(add(ONE, turned)))
  return complex(-imaginary / 2, real / 2)
}
