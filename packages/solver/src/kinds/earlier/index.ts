import { findComponent, type LibraryPort } from '@meadow/document'
import { getPortType, type PortType } from '../../conversions/port-types.ts'
import { CURVE_KINDS } from '../curves/index.ts'
import type { AnyKind, Kind } from '../declaration/define-kind.ts'
import { DISPLAY_KINDS } from '../display/index.ts'
import { MATHS_KINDS } from '../maths/index.ts'
import { MESH_KINDS } from '../meshes/index.ts'
import { SET_KINDS } from '../sets/index.ts'
import { SURFACE_KINDS } from '../surfaces/index.ts'
import { TEXT_KINDS } from '../text/index.ts'
import { TRANSFORM_KINDS } from '../transforms/index.ts'
import { TREE_KINDS } from '../trees/index.ts'
import { VECTOR_KINDS } from '../vectors/index.ts'
import { CHANGED_KINDS, FUNCTION_VERSIONS } from './changed.ts'

/**
 * Versions that files of earlier years hold, and that Grasshopper no longer offers, by the class of the present version.
 * Listed are those whose ports are a part of the ports of the present version and mean the same, though earlier names
 * differ, and operators took only numbers.
 */
const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  // Merge
  '3cadddef-1e2b-4c09-9390-0e8f78f7609f': [
    '86866576-6cc0-485a-9cd2-6f7d493f57f7',
    '481f0339-1299-43ba-b15c-c07891a8f822',
    'b5be5d1f-717f-493c-b958-816957f271fd',
    'f4b0f7b4-5a10-46c4-8191-58d7d66ffdff',
    'ac9b4faf-c9d5-4f6a-a5e9-58c0c2cac116',
    'a70aa477-0109-4e75-ba73-78725dca0274',
    '22f66ff6-d281-453c-bd8c-36ed24026783',
    '0b6c5dac-6c93-4158-b8d1-ca3187d45f25',
  ],
  // Simplify Tree
  '1303da7b-e339-4e65-a051-82c4dce8224d': ['06b3086c-1e9d-41c2-bcfc-bb843156196e'],
  // Explode Tree
  '74cad441-2264-45fe-a57d-85034751208a': ['8a470a35-d673-4779-a65e-ba95765e59e4'],
  // Stream Filter
  'eeafc956-268e-461d-8e73-ee05c6f72c01': ['3e5582a1-901a-4f7c-b58d-f5d7e3166124'],
  // Stream Gate
  '71fcc052-6add-4d70-8d97-cfb37ea9d169': ['d6313940-216b-487f-b511-6c8a5b87eae7'],
  // Pick'n'Choose
  '03b801eb-87cd-476a-a591-257fe5d5bf0f': ['4356ef8f-0ca1-4632-9c39-9e6dcd2b9496'],
  // Null Item
  'c74efd0e-7fe3-4c2d-8c9d-295c5672fb13': ['66fbaae1-0fcf-4dbf-bcba-4395d8f6a3e6'],
  // Create Set
  '98c3c63a-e78a-43ea-a111-514fcf312c95': ['2cb4bf85-a282-464c-b42c-8e735d2a0a74'],
  // Set Union
  '8eed5d78-7810-4ba1-968e-8a1f1db98e39': ['ab34845d-4ab9-4ff4-8870-eedd0c5594cb'],
  // Set Intersection
  '82f19c48-9e73-43a4-ae6c-3a8368099b08': ['8a55f680-cf53-4634-a486-b828de92b71d'],
  // Concatenate
  '2013e425-8713-42e2-a661-b57e78840337': ['01cbd6e3-ccbe-4c24-baeb-46e10553e18b'],
  // Format
  '758d91a0-4aec-47f8-9671-16739a8a2c5d': ['c8203c3c-6bcd-4f8c-a906-befd92ebf0cb'],
  // Text Case
  'b1991128-8bf1-4dea-8497-4b7188a64e9d': ['bdd2a14a-1302-4152-a484-7198716d1a11'],
  // Sort Text
  'cec16c67-7b8b-41f7-a5a5-f675177e524b': ['1ff80a00-1b1d-4fb3-926a-0c246261fc55'],
  // Pipe
  'c277f778-6fdf-4890-8f78-347efb23c406': ['e58817d1-11f9-44e5-b204-322cf3cbc118'],
  // Remap Numbers
  '2fcc2743-8339-4cdf-a046-a1f17439191d': ['fa314286-867b-41fa-a7f6-3f474197bb81'],
  // Addition
  'a0d62394-a118-422d-abb3-6af115c75b25': [
    'd18db32b-7099-4eea-85c4-8ba675ee8ec3',
    'cae37d1c-8146-4e0b-9cf1-14cb3e337b94',
  ],
  // Sort List
  '6f93d366-919f-4dda-a35e-ba03dd62799b': [
    '2b2628ea-3f43-4ce9-8435-9a045d54b5c6',
    'cacb2c64-61b5-46db-825d-c61d5d09cc08',
  ],
  // Tangent
  '0f31784f-7177-4104-8500-1f4f4a306df4': ['002b2feb-5d1b-41ea-913f-9f203c615792'],
  // Cosine
  'd2d2a900-780c-4d58-9a35-1f9d8d35df6f': ['12278a4b-c131-4735-a3ee-bcb783083856'],
  // Sine
  '7663efbb-d9b8-4c6a-a0da-c3750a7bbe77': ['ecee923b-1b93-4cf2-acd6-680835503437'],
  // ArcSine
  'cc15ba56-fae7-4f05-b599-cb7c43b60e11': ['22bba82d-32e8-448c-a59c-f054c8843ee3'],
  // ArcCosine
  '49584390-d541-41f7-b5f6-1f9515ac0f73': ['cfc280bb-332a-4828-bb4e-aca6d88859aa'],
  // ArcTangent
  'b4647919-d041-419e-99f5-fa0dc0ddb8b6': ['7b312903-4782-438f-aa37-ba43f5083460'],
  // Sinc
  'a2d9503d-a83c-4d71-81e0-02af8d09cd0c': ['da4be42b-ba75-4249-a685-69ce78b6ee44'],
  // Power of E
  'c717f26f-e4a0-475c-8e1c-b8f77af1bc99': ['5f212b16-82a0-4699-be4c-11529a9810ae'],
  // Natural logarithm
  '23afc7aa-2d2f-4ae7-b876-bf366246b826': ['8b62751f-6fb4-4d03-a238-11ad6db7483e'],
  // Logarithm
  '27d6f724-a701-4585-992f-3897488abf08': ['d0787f37-d976-48c9-a4b0-29d6c4059cf3'],
  // Power
  '78fed580-851b-46fe-af2f-6519a9d378e0': ['96c8c5f2-5f8e-4bb3-b19f-eb61d9cefa46'],
  // Power of 2
  '7a1e5fd7-b7da-4244-a261-f1da66614992': ['a8bc9c24-1bce-4b92-b7ba-abced2457c22'],
  // Power of 10
  '2ebb82ef-1f90-4ac9-9a71-1fe0f4ef7044': ['ed766861-662d-4462-90f6-29f87f8529cf'],
  // Multiplication
  'b8963bb1-aa57-476e-a20e-ed6cf635a49c': ['3e6383e9-af39-427b-801a-19ca916160fa'],
  // Subtraction
  '2c56ab33-c7cc-4129-886c-d5856b714010': ['f4a20a34-97e6-4ff5-9b26-7f7ed7a1e333'],
  // Division
  '9c85271f-89fa-4e9f-9f4a-d75802120ccc': ['ec875825-61e4-4c1c-a343-0e0cee0b321b'],
  // Modulus
  '431bc610-8ae1-4090-b217-1a9d9c519fe2': [
    '481e1f0d-a945-4662-809d-f49d1a8f40bd',
    '9ebccbb4-f3e3-4ee1-af31-2f301f2516f0',
  ],
  // Minimum
  '57308b30-772d-4919-ac67-e86c18f3a996': ['532b722d-9368-42ee-b99d-64a4732ee99a'],
  // Maximum
  '0d1e2027-f153-460d-84c0-f9af431b08cb': ['e9b807a3-dd48-4c2c-bada-e4f8e0edbbdb'],
  // Mass Addition
  '5b850221-b527-4bd6-8c62-e94168cd6efa': [
    'bb64b2fb-f87a-432f-86f8-393f4ee21310',
    '74d95062-0bec-4a4e-9026-5141fca954a6',
  ],
  // Gate And
  '040f195d-0b4e-4fe0-901f-fedb2fd3db15': ['28f35e12-cd50-4bce-b036-695c2a3d04da'],
  // Gate Or
  '5cad70f9-5a53-4c5c-a782-54a479b4abe3': ['eb3c8610-85b9-4593-a366-52550e8305b7'],
  // Angle
  'b464fccb-50e7-41bd-9789-8438db9bea9f': ['152a264e-fc74-40e5-88cc-d1a681cd09c3'],
  // Text Tag 3D
  '5a41528b-12b9-40dc-a3f2-842034d267c4': [
    '18564c36-5652-4c63-bb6f-f0e1273666dd',
    'ebf4d987-09b9-4825-a735-cac3d4770c19',
  ],
  // Text Tag
  '3b220754-4114-4170-b6c3-b286b86ed524': ['4b3d38d3-0620-42e5-9ae8-0d4d9ad914cd'],
  // Mass Addition
  '63f79e72-36c0-4489-a0c2-9ded0b9ca41f': ['b7f1178f-4222-47fd-9766-5d06e869362b'],
  // Plane Coordinates
  '5f127fa4-ca61-418e-bb2d-e3739d900f1f': ['670fcdba-da07-4eb4-b1c1-bfa0729d767d'],
  // Weave
  '50faccbd-9c92-4175-a5fa-d65e36013db6': ['160c1df2-e2e8-48e5-b538-f2d6981007e3'],
  // Flatten Tree
  'f80cfe18-9510-4b89-8301-8e58faf423bb': ['a13fcd5d-81af-4337-a32e-28dd7e23ae4c'],
  // Project
  '23285717-156c-468f-a691-b242488c06a6': [
    '24e913c9-7530-436d-b81d-bc3aa27296a4',
    '9025f4ca-159f-4c54-958b-0aad379dae77',
  ],
  // Shear
  '5a27203a-e05f-4eea-b80f-a5f29a00fdf2': ['3ae3a462-38fb-4d49-9f86-7558dfed7c3e'],
  // Orient Direction
  '1602b2cc-007c-4b79-8926-0067c6184e44': ['4041be93-6746-4cdb-aa95-929bff544fb0'],
  // Scale
  '4d2a06bd-4b0f-4c65-9ee0-4220e4c01703': ['4f0dfac8-6c61-40ef-ad41-aad84533f382'],
  // Rotate Axis
  '3ac8e589-37f5-477d-aa61-6699702c5728': ['55959599-0b44-4333-8427-a73564ea7ffb'],
  // Scale NU
  '290f418a-65ee-406a-a9d0-35699815b512': ['7753fb03-c1f1-4dbe-8557-f01e23aa3b20'],
  // Shear Angle
  'f19ee36c-f21f-4e25-be4c-4ca4b30eda0d': ['77bfb6a1-0305-4645-b309-cd6dbf1205d7'],
  // Camera Obscura
  '407e35c6-7c40-4652-bd80-fde1eb7ec034': ['7ee33ede-4ce1-482c-ab1a-eb7f9151fbc5'],
  // Rotate 3D
  '3dfb9a77-6e05-4016-9f20-94f78607d672': ['955d887b-c83b-4c61-bf35-df5d4c4abd9b'],
  // Orient
  '378d0690-9da0-4dd1-ab16-1d15246e7c22': ['a35811bc-1034-4491-acb8-608a8cfa27b1'],
  // Mirror
  'f12daa2f-4fd5-48c1-8ac3-5dea476912ca': ['a70bdac1-1ed2-40d3-b687-3437bc150af0'],
  // Move
  'e9eb1dcf-92f6-4d4d-84ae-96222d60f56b': ['b40f28a2-ba30-4ac2-afe5-a6ece7f985fc'],
  // Rotate
  'b7798b74-037e-4f0c-8ac7-dc1043d093e0': ['b661519d-43fd-4e5a-b244-d54d9fae2bde'],
  // Evaluate Curve
  'fc6979e4-7e91-4508-8e05-37c680779751': ['164d0429-e5f5-4292-aa80-3f88d43cdac2'],
  // Rectangle 3Pt
  '9bc98a1d-2ecc-407e-948a-09a09ed3e69d': ['34493ef6-3dfb-47c0-b149-691d02a93588'],
  // Arc 3Pt
  '9fa1b081-b1c7-4a12-a163-0aa8da9ff6c4': ['32c57b97-b653-47dd-b78f-121e89fdd01c'],
  // Arc SED
  '9d2583dd-6cf5-497c-8c40-c9a290598396': ['f17c37ae-b44a-481a-bd65-b4398be55ec8'],
  // Arc
  'bb59bffc-f54c-4682-9778-f6c3fe74fce3': ['fd9fe288-a188-4e9b-a464-1148876d18ed'],
  // Polygon Center
  '59e94548-cefd-4774-b3de-48142fc783fb': ['87e7f480-14dc-4478-b1e6-2b8b035d9edc'],
  // Closed
  '323f3245-af49-4489-8677-7a2c73664077': ['f2030fa9-db3f-437e-9b50-5607db6daf87'],
  // Face Boundaries
  '0b4ac802-fc4a-4201-9c66-0078b837c1eb': ['08d45f16-c708-4ede-8fd3-b70a0a7abd8f'],
  // Area
  '2e205f24-9279-47b2-b414-d06dcd0b21a7': ['ab766b01-a3f5-4257-831a-fc84d7b288b4'],
  // Volume
  '224f7648-5956-4b26-80d9-8d771f3dfd5d': ['c72d0184-bb99-4af4-a629-4662e1c3d428'],
  // Curve | Line
  '0e3173b6-91c6-4845-a748-e45d4fdbc262': ['ddaea1a9-d6bd-4a18-ac11-8a4993954a03'],
}

const FAMILIES: readonly (readonly AnyKind[])[] = [
  TREE_KINDS,
  SET_KINDS,
  TEXT_KINDS,
  MATHS_KINDS,
  VECTOR_KINDS,
  CURVE_KINDS,
  TRANSFORM_KINDS,
  DISPLAY_KINDS,
  SURFACE_KINDS,
  MESH_KINDS,
]

const PRESENT: ReadonlyMap<string, Kind> = new Map(
  FAMILIES.flat().flatMap((kind) => ('type' in kind ? [] : kind.guids.map((guid) => [guid, kind] as const))),
)

export const EARLIER_KINDS: readonly Kind[] = [
  ...Object.entries(VERSIONS).flatMap(([of, guids]) =>
    guids.map((guid) => createEarlierKind(guid, PRESENT.get(of))),
  ),
  ...CHANGED_KINDS,
  ...FUNCTION_VERSIONS,
]

/** The type of a port in the earlier version; the present one may take data of any type. */
function typeOf(known: LibraryPort | undefined, present: PortType): PortType {
  const type = known ? getPortType(known.typeName) : present
  return type === 'any' ? present : type
}

/** The kind with the first ports of the present one: those that the component library has for the earlier version. */
function createEarlierKind(guid: string, present: Kind | undefined): Kind {
  const known = findComponent(guid)
  if (!present || !known) throw new Error(`The class ${guid} or its present version is not known`)
  const { moreInputs, ...kind } = present
  const isOptional = (index: number) => known.inputs[index]?.isOptional ?? true
  const inputs = present.inputs
    .slice(0, known.inputs.filter(({ isRepeated }) => !isRepeated).length)
    .map((port, i) => ({ ...port, type: typeOf(known.inputs[i], port.type), isOptional: isOptional(i) }))
  const lacking = present.inputs.slice(inputs.length).map(() => undefined)
  return {
    ...kind,
    guids: [guid],
    inputs,
    outputs: known.outputs.flatMap((port, i) => {
      const output = present.outputs[i]
      return output ? [{ ...output, type: typeOf(port, output.type) }] : []
    }),
    ...(moreInputs ? { moreInputs: { ...moreInputs, isOptional: isOptional(inputs.length) } } : {}),
    // Inputs that users added come after all inputs of the present version.
    ...(moreInputs && lacking.length > 0
      ? { solve: (values, context) => present.solve(values.toSpliced(inputs.length, 0, ...lacking), context) }
      : {}),
  }
}
