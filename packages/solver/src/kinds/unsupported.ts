import { findCanvasObject, findComponent, findComponentName, findParameterType } from '@meadow/document'

/** Kinds that could only be approximated, and the reason. */
interface UnsupportedGroup {
  readonly reason: string
  /** The component classes, each with a name if the component library lacks it. */
  readonly guids: readonly (string | readonly [guid: string, name: string])[]
}

const UNSUPPORTED: readonly UnsupportedGroup[] = [
  {
    reason: 'how it uses random numbers is not published',
    guids: [
      ['f02a20f6-bb49-4e3d-b155-8ed5d3c6b000', 'Jitter'],
      ['455925fd-23ff-4e57-a0e7-913a4165e659', 'Random Reduce'],
      'e2d958e8-9f08-44f7-bf47-a684882d0b2a',
      'e202025b-dc8e-4c51-ae19-4415b172886f',
      'c8cb6a5c-2ffd-4095-ba2a-5c35015e09e4',
      ['a12dddbf-bb49-4ef4-aeb8-5653bc882cbd', 'RandomEx'],
    ],
  },
  {
    reason: 'it takes a kernel for curved solids, which Meadow lacks',
    guids: [
      '904e4b56-484a-4814-b35f-aa4baf362117',
      '4439a51b-8d24-4924-b8e2-f77e7f8f5bec',
      'ac750e41-2450-4f98-9658-98fef97b01b2',
      ['ef6b26f4-f820-48d6-b0c5-85898ef8888b', 'Split Brep'],
      ['03f22640-ff80-484e-bb53-a4025c5faa07', 'Split Brep Multiple'],
      ['b57bf805-046a-4360-ad76-51aeddfe9720', 'Boundary Volume'],
      ['4b87eb13-f87c-4ff1-ae0e-6c9f1f2aecbd', 'Fillet Edge'],
    ],
  },
  {
    reason: 'Rhino approximates it in a way that is not published',
    guids: [
      '71506fa8-9bf0-432d-b897-b2e0c5ac316c',
      '888f9c3c-f1e1-4344-94b0-5ee6a45aee11',
      'f1b75016-5818-4ece-be56-065253a2357d',
      '9333c5b3-11f9-423c-bbb5-7e5156430219',
      '48a9fa10-8d3c-4767-aca6-81232271f6e0',
      'e45aa4a0-e40d-421c-a335-5185dd131836',
      '9266a2bb-918f-4675-9c91-f67d0dd33eac',
      'db661dd7-63a4-44c6-91f2-6faab2471383',
      ['75164624-395a-4d24-b60b-6bf91cab0194', 'Sweep2'],
      ['d8d68c35-f869-486d-adf3-69ee3cc2d501', 'Rail Revolution'],
      ['342aa574-1327-4bc2-8daf-203da2a45676', 'Fit Loft'],
      ['57b2184c-8931-4e70-9220-612ec5b3809a', 'Patch'],
      ['ffe2dbed-9b5d-4f91-8fe3-10c8961ac2f8', 'Curve On Surface'],
      ['139619d2-8b18-47b6-b3b9-bf4fec0d6eb1', 'Tween Curve'],
      ['ce5963b4-1cea-4f71-acd2-a3c28ab85662', 'Geodesic'],
      ['6b5812f5-bb36-4d74-97fc-5a1f2f77452d', 'Pull Curve'],
      ['c3dce3e8-c9cc-413c-a93f-732434282fdd', 'Mesh Shadow'],
    ],
  },
  {
    reason: 'where its curves begin, and in which order they come, is not published',
    guids: ['190c0070-8cbf-4347-94c2-d84bbb488d55', 'c4373505-a4cf-4992-8db1-fd6e6bb5850d'],
  },
  {
    reason: 'this is an older version, whose outputs are not known',
    guids: [
      ['c98c1666-5f29-4bb8-aafd-bb5a708e8a95', 'Area Moments'],
      ['4b5f79e1-c2b3-4b9c-b97d-470145a3ca74', 'Volume Moments'],
    ],
  },
  {
    reason: 'how Rhino maps space along its axis, arc or surface is not published',
    guids: [
      ['2a27f87c-61c5-47c2-a0b7-7863f31a3594', 'Stretch'],
      ['539f5564-4fc0-4fc1-a7d3-b802fa2ef072', 'Bend Deform'],
      ['9509cb30-d24f-4f55-a5ac-bf0b12a06cfa', 'Twist'],
      ['ad0ee51e-c86f-4668-8de5-b55b850f6001', 'Taper'],
      ['c3249da4-3f8e-4400-833e-e4e984d28657', 'Flow'],
      ['134a849b-0ff4-4f36-bdd5-95e3996bae8b', 'Maelstrom'],
      ['ff4e6ccd-47ba-4c8c-8287-2a1f2cb1fa5e', 'Splop'],
      ['9cacad37-b09f-4b54-b2b1-1ccdc2e3ffea', 'Sporph'],
      ['5889b68f-fd88-4032-860f-869fb69654dd', 'Surface Morph'],
    ],
  },
  {
    reason: "it takes Rhino's quad remesher, which is not published",
    guids: [
      ['27be41c6-50f8-4021-800d-ae8f9883640a', 'Quad Remesh Settings'],
      ['f562505b-4c49-49d1-932d-c8804b3fcec6', 'Quad Remesh Settings'],
      ['1a17d3f0-c8f8-4ee9-8dab-ea1c29db6a49', 'Quad Remesh'],
      ['866222ee-6093-4af8-8944-2f9264885385', 'TriRemesh'],
    ],
  },
  {
    reason: 'SubDs are not solved',
    guids: [
      'c0b3c6e9-d05d-4c51-a0df-1ce2678c7a33',
      '855a2c73-31c0-41d2-b061-57d54229d11b',
      ['10487e4e-a405-48b5-b188-5a8a6328418b', 'SubD Box'],
      ['c1a57c2a-11c5-4f77-851e-0a7dffef848e', 'SubD Control Polygon'],
      ['2183c4c6-b5b3-45d2-9261-2096c9357f92', 'SubD Edges'],
      ['83c81431-17bc-4bff-bb85-be0a846bd044', 'SubD Faces'],
      ['cd9efa8f-0084-4d52-ab13-ad88ff22dc46', 'SubD Vertices'],
      ['264b4aa6-4915-4a67-86a7-22a5c4acf565', 'SubD Fuse'],
    ],
  },
  {
    reason: 'it belongs to Kangaroo, whose solver is not published',
    guids: [
      'b476d3d0-4daf-489c-b91a-49f5dd72a256',
      'f5f95b51-7431-4e80-a32f-d33e5dee53a5',
      '091bae84-8fa9-4b35-8aad-b25b859055f6',
      '580a1a0c-314d-4033-a54c-c129400b4b58',
      '8b4dbe32-0c6c-4304-972e-3f60ed613114',
      '0ed5e67d-539d-480e-88cb-d81fa795d66c',
      '8f9f19c0-207a-419d-90f6-2fcadaa845f9',
      'a54d250e-e285-4f38-9fb3-8dd9c886c659',
    ],
  },
  {
    reason: 'how Grasshopper computes its fields is not published',
    guids: [
      'd9a6fbd2-2e9f-472e-8147-33bf0233a115',
      ['cffdbaf3-8d33-4b38-9cad-c264af9fc3f4', 'Point Charge'],
      ['8cc9eb88-26a7-4baa-a896-13e5fc12416a', 'Line Charge'],
      ['4b59e893-d4ee-4e31-ae24-a489611d1088', 'Spin Force'],
      ['d27cc1ea-9ef7-47bf-8ee2-c6662da0e3d9', 'Vector Force'],
      ['a7c9f738-f8bd-4f64-8e7f-33341183e493', 'Evaluate Field'],
      ['add6be3e-c57f-4740-96e4-5680abaa9169', 'Field Line'],
      ['b27d53bc-e713-475d-81fd-71cdd8de2e58', 'Break Field'],
    ],
  },
  {
    reason: 'it takes the views and the hidden-line drawing of Rhino',
    guids: [['96e40f6b-ba46-4102-bf15-ebf90471f4a0', 'Make2D']],
  },
  {
    reason: 'whether it has released its data is not in the document',
    guids: ['65283518-ad00-49d3-87fb-f76823ebb162'],
  },
  {
    reason:
      'it collects objects of the Rhino document by layer, name and type, and those are not in the definition',
    guids: ['b341e2e5-c4b3-49a3-b3a4-b4e6e2054516'],
  },
  {
    reason: 'it reads a file that is not in the document',
    guids: ['317f1cb2-820d-4a8f-b5c8-5de3594ddfba'],
  },
]

/** An unsupported kind. The reason is the end of a sentence. */
export interface UnsupportedKind {
  readonly guid: string
  readonly name: string
  readonly reason: string
}

const ALL: readonly UnsupportedKind[] = UNSUPPORTED.flatMap(({ reason, guids }) =>
  guids.map((entry) => {
    const [guid, name] = typeof entry === 'string' ? [entry, findName(entry)] : entry
    return { guid, name, reason }
  }),
)

const BY_GUID: ReadonlyMap<string, UnsupportedKind> = new Map(ALL.map((kind) => [kind.guid, kind]))

function findName(guid: string): string {
  const known = findComponent(guid) ?? findCanvasObject(guid) ?? findParameterType(guid)
  return known?.name ?? findComponentName(guid) ?? ''
}

/** Lists the unsupported kinds, sorted by reason, then in order of declaration. */
export function listUnsupported(): readonly UnsupportedKind[] {
  return ALL
}

export function findUnsupported(guid: string): UnsupportedKind | undefined {
  return BY_GUID.get(guid)
}
