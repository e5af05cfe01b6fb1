import { logarithmTo } from '../../expressions/functions.ts'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { item } from '../declaration/ports.ts'

/** Powers, roots, logarithms, and multiples of well-known numbers. */
export const POWERS: readonly Kind[] = [
  ofNumber('2280dde4-9fa2-4b4a-ae2f-37d554861367', 'The square of a number.', (x) => x * x),
  ofNumber('7e3185eb-a38c-4949-bcf2-0e80dee3a344', 'The cube of a number.', (x) => x * x * x),
  defineKind({
    guid: 'ad476cb7-b6d1-41c8-986b-0df243a64146',
    description: 'The square root of a number.',
    solve: ([x], context) => {
      if (x < 0) context.limit('The complex root of a number below 0 is not supported')
      return [Math.sqrt(x)]
    },
  }),
  ofNumber('5b0be57a-31f5-4446-a11a-ae0d348bca90', 'The cube root of a number.', Math.cbrt),
  ofNumber('797d922f-3a1d-46fe-9155-358b009b5997', 'One over a number.', (x) => 1 / x),
  ofNumber('c717f26f-e4a0-475c-8e1c-b8f77af1bc99', 'A power of e.', Math.exp),
  ofNumber('7a1e5fd7-b7da-4244-a261-f1da66614992', 'A power of 2.', (x) => 2 ** x),
  ofNumber('2ebb82ef-1f90-4ac9-9a71-1fe0f4ef7044', 'A power of 10.', (x) => 10 ** x),
  ofNumber('27d6f724-a701-4585-992f-3897488abf08', 'The logarithm to base 10.', Math.log10),
  ofNumber('23afc7aa-2d2f-4ae7-b876-bf366246b826', 'The logarithm to base e.', Math.log),
  defineKind({
    guid: '7ab8d289-26a2-4dd4-b4ad-df5b477999d8',
    description: 'The logarithm to a base.',
    solve: ([number, base]) => [logarithmTo(base, number)],
  }),
  multiple('0d2ccfb3-9d41-4759-9452-da6a522c3eaa', 'A multiple of pi.', Math.PI),
  multiple('cb22d3ed-93d8-4629-bdf2-c0c7c25afd2c', 'A multiple of the golden ratio.', (1 + Math.sqrt(5)) / 2),
  multiple('b6cac37c-21b9-46c6-bd0d-17ff67796578', 'A multiple of e.', Math.E),
  multiple(
    'deadf87d-99a6-4980-90c3-f98350aa6f0f',
    'A multiple of the smallest number above 0.',
    Number.MIN_VALUE,
  ),
]

/** Angles are in radians, unless the port has the option `degrees`. */
export const TRIGONOMETRY: readonly Kind[] = [
  ofNumber('7663efbb-d9b8-4c6a-a0da-c3750a7bbe77', 'The sine of an angle.', Math.sin),
  ofNumber('d2d2a900-780c-4d58-9a35-1f9d8d35df6f', 'The cosine of an angle.', Math.cos),
  ofNumber('0f31784f-7177-4104-8500-1f4f4a306df4', 'The tangent of an angle.', Math.tan),
  ofNumber('cc15ba56-fae7-4f05-b599-cb7c43b60e11', 'The angle of a sine.', Math.asin),
  ofNumber('49584390-d541-41f7-b5f6-1f9515ac0f73', 'The angle of a cosine.', Math.acos),
  ofNumber('b4647919-d041-419e-99f5-fa0dc0ddb8b6', 'The angle of a tangent.', Math.atan),
  ofNumber('d222500b-dfd5-45e0-933e-eabefd07cbfa', 'One over the sine of an angle.', (x) =>
    divideOne(Math.sin(x)),
  ),
  ofNumber('60103def-1bb7-4700-b294-3a89100525c4', 'One over the cosine of an angle.', (x) =>
    divideOne(Math.cos(x)),
  ),
  ofNumber('1f602c33-f38e-4f47-898b-359f0a4de3c2', 'One over the tangent of an angle.', (x) =>
    divideOne(Math.tan(x)),
  ),
  ofNumber('a2d9503d-a83c-4d71-81e0-02af8d09cd0c', 'The sine of a number over the number; 1 for 0.', (x) =>
    x === 0 ? 1 : Math.sin(x) / x,
  ),
  ofNumber(
    'a4cd2751-414d-42ec-8916-476ebf62d7fe',
    'Converts degrees to radians.',
    (x) => (x * Math.PI) / 180,
  ),
  ofNumber('0d77c51e-584f-44e8-aed2-c2ddf4803888', 'Radians as degrees.', (x) => (x * 180) / Math.PI),
]

/** Source of the largest number for 0: what Grasshopper does, by the notes of CoSecant in pyhopper. */
function divideOne(by: number): number {
  return by === 0 ? Number.MAX_VALUE : 1 / by
}

/** A kind that computes a number from a number. A result that is not defined is NaN or infinite. */
function ofNumber(guid: string, description: string, run: (x: number) => number): Kind {
  return defineKind({
    guid,
    description,
    inputs: [item.number],
    outputs: [item.number],
    solve: ([x]) => [run(x)],
  })
}

function multiple(guid: string, description: string, constant: number): Kind {
  return ofNumber(guid, description, (x) => x * constant)
}
